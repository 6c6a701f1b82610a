import { expect, it } from '@jest/globals';
import { openStage } from './harness/stage.js';

it('a rolling restart under load leaves no accepted command of clients that keep their connections unanswered', async () => {
  const stage = await openStage();
  const { apis, workers } = stage;
  await stage.underLoad(async (load) => {
    for (const index of [0, 1]) {
      await load.acknowledged(50);
      const [api, worker] = await Promise.all([stage.start('api'), stage.start('worker')]);
      const [oldApi, oldWorker] = [apis[index]!, workers.shift()!];
      apis[index] = api;
      workers.push(worker);
      expect(await Promise.all([oldApi.end('SIGTERM'), oldWorker.end('SIGTERM')])).toEqual([0, 0]);
    }
    await load.acknowledged(50);
  });
  const attempts = stage.history.commands.flatMap((command) => command.attempts);
  const unanswered = attempts.filter(
    ({ status = 0, error }) => error !== 'ECONNREFUSED' && (status === 0 || status >= 500),
  );
  expect(unanswered).toEqual([]);
}, 60_000);
