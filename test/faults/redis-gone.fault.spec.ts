import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { describeWithRedis } from '../support/needs.js';
import { rounds } from '../support/rounds.js';
import { ANSWERED_WITHIN_MS } from './harness/history.js';
import { heardLive, projectedSoFar } from './harness/signs-of-life.js';
import { openStage, type Stage } from './harness/stage.js';
import type { OwnRedis } from './harness/own-redis.js';

describeWithRedis('without Redis', () => {
  let stage: Stage;
  let redis: OwnRedis;

  beforeAll(async () => {
    stage = await openStage({ workers: 1, withRedis: true });
    redis = stage.redis!;
  });

  const signIn = async () => {
    const { email, password, address } = stage.trainers[0]!;
    const client = new Client(stage.apis[0]!.url);
    const headers = { 'X-Forwarded-For': address };
    const answer = client.request('POST', '/auth/v1/token?grant_type=password', {
      body: { email, password },
      headers,
    });
    expect(await Promise.race([answer, delay(ANSWERED_WITHIN_MS)])).toMatchObject({ status: 200 });
  };

  it.each<[string, () => unknown, () => unknown]>([
    ['is killed and comes back empty', () => redis.crash(), () => redis.restart()],
    ['stands still', () => redis.freeze(), () => redis.thaw()],
  ])(
    'that %s: commands are answered as ever, and what they record is projected',
    async (_name, take, give) => {
      const { history, database, trainers, apis, workers } = stage;
      await stage.underLoad(async (load) => {
        await load.acknowledged(30);
        await take();
        const before = history.commands.length;
        await load.acknowledged(rounds(40, 100));
        await signIn();
        await projectedSoFar(database);
        const attempts = history.commands.slice(before).flatMap((command) => command.attempts);
        expect(attempts.filter(({ status = 0, error }) => error || status >= 500)).toEqual([]);

        // Each process tries for two seconds before it reports that.
        const ready = await Promise.all(
          [...apis, ...workers].map(async ({ opsUrl }) => (await fetch(`${opsUrl}/health/ready`)).json()),
        );
        for (const health of ready)
          expect(health).toMatchObject({ status: 'ok', checks: { queue: 'unavailable' } });
        // A process that starts meanwhile also works without Redis.
        apis.push(await stage.start('api'));
        await apis.shift()!.end('SIGTERM');
        await load.acknowledged(30);
        await give();
        await load.acknowledged(30);
      });
      for (const api of apis) await heardLive(api, trainers[0]!, history);
    },
  );

  it('a Redis that suddenly loses all data causes no loss', async () => {
    await stage.underLoad(async (load) => {
      for (let turn = 0; turn < rounds(2, 10); turn += 1) {
        await redis.flush();
        await load.acknowledged(20);
      }
      await projectedSoFar(stage.database);
    });
  });
});
