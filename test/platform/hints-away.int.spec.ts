import { randomUUID } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { ErrorTrap } from '../../backend/platform/ops/error-trap.js';
import { HintBus } from '../../backend/platform/realtime/hint-bus.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { configFor, startPlatform } from './platform.js';

it('nothing is kept for other processes while Redis is away', async () => {
  const database = await testDatabase();
  const app = await startPlatform(database);
  const commands = jest.spyOn(Redis.prototype, 'sendCommand');
  // No server listens at this address.
  const bus = new HintBus(configFor(database, { REDIS_URL: 'redis://127.0.0.1:1' }), app.get(ErrorTrap));
  atEnd(() => bus.onApplicationShutdown());
  const waiting = () => commands.mock.calls.filter(([{ name }]) => name === 'publish').length;

  const id = randomUUID();
  for (let n = 0; n < 100; n += 1) {
    bus.personChanged(id);
    bus.sessionEnded(id);
    bus.membershipEnded(id, id);
    bus.projected([{ tenantId: id, position: n, topics: new Set(['plans']), students: new Map() }]);
  }
  expect(waiting()).toBe(0);
  commands.mockRestore();
});
