import { expect, test } from '@jest/globals';
import { TenantQueue } from './tenant-queue.js';

/** Calls that end when the test says so; records which have begun. */
function workbench(queue: TenantQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (tenantId: string, name: string) =>
    queue.run(tenantId, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  return { begun, run, end: (name: string) => ends.get(name)!() };
}

test('runs a limited number of calls of a tenant at once, the rest in order, and does not delay other tenants', async () => {
  const { begun, run, end } = workbench(new TenantQueue({ atOnce: 2, maxWaiting: 9, maxWaitMs: 1e6 }));
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  void run('b', 'b1');
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  end('a1');
  await all[0];
  end('a3');
  await all[2];
  end('a4');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a caller gets 503 with Retry-After if too many others wait already', async () => {
  const queue = new TenantQueue({ atOnce: 1, maxWaiting: 2, maxWaitMs: 1e6 });
  const { run, end } = workbench(queue);
  const waiting = ['a1', 'a2', 'a3'].map((name) => run('a', name));
  const refused = expect(queue.run('a', () => Promise.resolve('a4'))).rejects.toMatchObject({ code: 'busy' });
  for (const [at, name] of ['a1', 'a2', 'a3'].entries()) {
    await Promise.resolve();
    end(name);
    expect(await waiting[at]).toBe(name);
  }
  await refused;
});

test('a caller who has waited too long gets 503 with Retry-After, and the next one runs', async () => {
  const queue = new TenantQueue({ atOnce: 1, maxWaiting: 9, maxWaitMs: -1 });
  const { run, end } = workbench(queue);
  const first = run('a', 'a1');
  const late = run('a', 'a2');
  await Promise.resolve();
  end('a1');
  await first;
  await expect(late).rejects.toMatchObject({ code: 'busy' });
  const again = run('a', 'a3');
  await Promise.resolve();
  end('a3');
  expect(await again).toBe('a3');
});
