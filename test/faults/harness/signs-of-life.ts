import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { TestDatabase } from '../../support/database.js';
import type { Trainer } from '../../support/people.js';
import type { TestProcess } from '../../support/process.js';
import { connectSocket } from '../../support/socket.js';
import type { History } from './history.js';

/** Expects that the fault has ended none of these processes. */
export function expectAlive(processes: readonly TestProcess[]): void {
  for (const each of processes) {
    let isAlive = true;
    try {
      process.kill(each.pid, 0);
    } catch {
      isAlive = false;
    }
    expect({ isAlive, said: isAlive ? '' : each.output() }).toEqual({ isAlive: true, said: '' });
  }
}

/** Waits until everything that was recorded before this call is projected; more may be recorded meanwhile. */
export async function projectedSoFar(database: TestDatabase): Promise<void> {
  const log = await database.query<{ tenant_id: string; position: number }>(
    'select tenant_id, position::int from tenant_log',
  );
  const tenants = log.map(({ tenant_id }) => tenant_id);
  const positions = log.map(({ position }) => position);
  for (;;) {
    const behind = await database.query(
      `select from unnest($1::uuid[], $2::bigint[]) as l(tenant_id, position)
       join projection_checkpoint c using (tenant_id) where c.projection = 'shared' and c.position < l.position limit 1`,
      [tenants, positions],
    );
    if (behind.length === 0) return;
    await delay(20);
  }
}

/** Sends commands of the trainer until an open socket at this process gets a hint. */
export async function heardLive(api: TestProcess, trainer: Trainer, history: History): Promise<void> {
  const socket = await connectSocket(api, trainer);
  const heard = new Promise<boolean>((resolve) => socket.once('hint', () => resolve(true)));
  for (let isHeard = false; !isHeard;) {
    const command = history.command(trainer, 'POST', '/plans', { nome: 'Plano', valor: 100, creditos: 1 });
    await history.attempt(command, api.url);
    isHeard = await Promise.race([heard, delay(200, false)]);
  }
  socket.close();
}
