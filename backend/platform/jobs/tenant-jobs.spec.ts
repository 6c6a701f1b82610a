import { expect, it } from '@jest/globals';
import { projectTenants } from './platform-jobs.js';
import type { Queues } from './queues.js';
import { TenantJobs } from './tenant-jobs.js';

/** Records jobs as they are added; each ends when the test says so. */
function queue() {
  const added: { tenants: string[]; end: (error?: Error) => void }[] = [];
  const add = (_job: unknown, { tenants }: { tenants: string[] }) =>
    new Promise<void>((resolve, reject) => {
      added.push({ tenants, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { added, jobs: new TenantJobs({ add } as unknown as Queues, projectTenants) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('tenants that are added while a job is being added share the next job', async () => {
  const { added, jobs } = queue();
  jobs.add(['a']);
  for (const tenant of ['b', 'c', 'b', 'a']) jobs.add([tenant]);
  expect(added.map(({ tenants }) => tenants)).toEqual([['a']]);
  added[0]!.end();
  await turn();
  expect(added.map(({ tenants }) => tenants)).toEqual([['a'], ['b', 'c', 'a']]);
  added[1]!.end();
  await turn();
  jobs.add(['d']);
  expect(added[2]!.tenants).toEqual(['d']);
});

it('after a job that cannot be added, the next one is added', async () => {
  const { added, jobs } = queue();
  jobs.add(['a']);
  jobs.add(['b']);
  added[0]!.end(new Error('the backend is down'));
  await turn();
  expect(added.map(({ tenants }) => tenants)).toEqual([['a'], ['b']]);
});
