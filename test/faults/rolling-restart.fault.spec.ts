import { beforeAll, expect, it } from '@jest/globals';
import type { TestProcess } from '../support/process.js';
import { openStage, type Stage } from './harness/stage.js';

let stage: Stage;
let next: TestProcess[];

beforeAll(async () => {
  stage = await openStage();
  next = await Promise.all([stage.start('api'), stage.start('worker')]);
});

it('a rolling restart under load leaves no accepted command unanswered, for clients that reuse connections', async () => {
  const { apis, workers } = stage;
  await stage.underLoad(async (load) => {
    await load.acknowledged(50);
    const [api, worker] = next;
    apis.push(api!);
    workers.push(worker!);
    while (apis.length > 1) {
      await load.acknowledged(50);
      const old = [apis.shift()!, workers.shift()!];
      expect(await Promise.all(old.map((each) => each.end('SIGTERM')))).toEqual([0, 0]);
    }
    await load.acknowledged(50);
  });
  const attempts = stage.history.commands.flatMap((command) => command.attempts);
  const unanswered = attempts.filter(
    ({ status = 0, error }) => error !== 'ECONNREFUSED' && (status === 0 || status >= 500),
  );
  expect(unanswered).toEqual([]);
});
