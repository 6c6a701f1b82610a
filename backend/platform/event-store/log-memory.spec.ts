import { beforeEach, expect, it } from '@jest/globals';
import type { FoldedStream, LogHead } from './command-transaction.js';
import { LogMemory } from './log-memory.js';

let now = 1;
let memory: LogMemory;

beforeEach(() => {
  memory = new LogMemory({ now: () => now });
});

const at = (position: number): LogHead => ({ position, hash: Buffer.from([position]) });
const stream = (state: unknown): FoldedStream => ({ version: 1, state, snapshot: 0 });

/** A command that appended the event at this position and used these streams. */
function decided(
  tenantId: string,
  position: number,
  ids: readonly string[],
  state: unknown = position,
): void {
  const streams = new Map(ids.map((id) => [id, stream(state)]));
  memory.remember(tenantId, at(position - 1), { head: at(position), streams, keys: new Map() });
}

const streamsOf = (tenantId: string) => [...(memory.recall(tenantId)?.streams.keys() ?? [])];

it('adds what a command used to what was known of the same log', () => {
  decided('a', 1, ['x', 'y']);
  decided('a', 2, ['x', 'z']);
  expect(streamsOf('a')).toEqual(['y', 'x', 'z']);
  expect(memory.recall('a')).toMatchObject({ head: { position: 2 } });
  expect(memory.recall('a')!.streams.get('x')).toEqual(stream(2));
});

it('drops the streams of a log that another process has appended to', () => {
  decided('a', 1, ['x', 'y']);
  decided('a', 3, ['x']);
  expect(streamsOf('a')).toEqual(['x']);
});

it('keeps 200 streams of a tenant, those that were used last, and none that is large', () => {
  const many = Array.from({ length: 200 }, (_, n) => `s${n}`);
  decided('a', 1, many);
  decided('a', 2, ['s0', 'new']);
  expect(streamsOf('a')).toEqual([...many.slice(2), 's0', 'new']);
  decided('a', 3, ['s0'], 'x'.repeat(10_000));
  expect(streamsOf('a')).toEqual([...many.slice(2), 'new']);
});

it('keeps 20,000 streams: those of the tenants that were used last', () => {
  const many = Array.from({ length: 199 }, (_, n) => `s${n}`);
  for (let n = 0; n < 100; n += 1) decided(`t${n}`, 1, many);
  expect(streamsOf('t0')).toHaveLength(199);
  decided('late', 1, ['x']);
  expect([streamsOf('t0'), streamsOf('t1'), streamsOf('late')].map(({ length }) => length)).toEqual([
    199, 0, 1,
  ]);
});

it('knows a log for a minute after it was read, however often it is used', () => {
  decided('a', 1, ['x']);
  now += 50_000;
  decided('a', 2, ['x']);
  expect(streamsOf('a')).toEqual(['x']);
  now += 11_000;
  expect(streamsOf('a')).toEqual([]);
});
