import { beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Queues } from '../jobs/queues.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { Metrics } from '../ops/metrics.js';
import type { Readiness } from '../ops/readiness.js';
import type { HintBus } from '../realtime/hint-bus.js';
import type { ProjectionBuilds } from './projection-builds.js';
import { ProjectionRunner } from './projection-runner.js';
import type { Projector } from './projector.js';
import type { ProjectorPool } from './projector-pool.js';

const lines: object[] = [];
beforeAll(() => {
  Logger.overrideLogger({
    log: () => undefined,
    error: () => undefined,
    warn: (line: object) => void lines.push(line),
  });
});

it('a sweep that fails is counted and logged', async () => {
  const metrics = new Metrics();
  let began = () => {};
  const sweeping = new Promise<void>((resolve) => (began = resolve));
  const builds = {
    register: () => Promise.resolve(),
    measure: () => {
      began();
      return Promise.reject(new Error('the database is gone'));
    },
  };
  const runner = new ProjectionRunner(
    {} as Projector,
    builds as unknown as ProjectionBuilds,
    {} as ProjectorPool,
    { schedule: () => Promise.resolve() } as Queues,
    {} as HintBus,
    {} as Readiness,
    metrics,
    new ErrorTrap(metrics),
  );
  await runner.onApplicationBootstrap();
  await sweeping;
  await runner.beforeApplicationShutdown();

  expect((await metrics.trappedErrors.get()).values).toMatchObject([
    { labels: { place: 'timer' }, value: 1 },
  ]);
  expect(lines).toEqual([
    { msg: 'sweep failed', err: expect.objectContaining({ message: 'the database is gone' }) },
  ]);
});
