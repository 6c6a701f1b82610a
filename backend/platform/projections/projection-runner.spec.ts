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

const metrics = new Metrics();
const runnerWith = (parts: { projector?: object; builds?: object; queues: object }) =>
  new ProjectionRunner(
    parts.projector as Projector,
    parts.builds as ProjectionBuilds,
    {} as ProjectorPool,
    parts.queues as Queues,
    { projected: () => undefined } as unknown as HintBus,
    {} as Readiness,
    metrics,
    new ErrorTrap(metrics),
  );

it('a sweep that fails is counted and logged', async () => {
  let began = () => {};
  const sweeping = new Promise<void>((resolve) => (began = resolve));
  const builds = {
    register: () => Promise.resolve(),
    measure: () => {
      began();
      return Promise.reject(new Error('the database is gone'));
    },
  };
  const runner = runnerWith({ builds, queues: { schedule: () => Promise.resolve() } });
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

it('work that waits for a batch keeps its trace where a sweep finds its tenant too', async () => {
  const added: unknown[] = [];
  const add = (_job: object, { tenants }: { tenants: string[] }, _id: undefined, traces: string[]) =>
    void added.push([tenants, traces]);
  const batch = (reacting: string[]) =>
    Promise.resolve({ projected: [], held: [], unfinished: [], reacting });
  const runner = runnerWith({ projector: { batch }, queues: { add } });
  await Promise.all([
    runner.project(['ana'], ['a tap']),
    runner.project(['ana', 'bia']),
    runner.project(['bia'], ['another']),
  ]);
  expect(added).toEqual([
    [
      ['ana', 'bia'],
      ['a tap', 'another'],
    ],
  ]);
});
