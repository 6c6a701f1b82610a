import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FoldedStream, LogHead } from './command-transaction.js';
import { LogMemory } from './log-memory.js';

let memory: LogMemory;

beforeEach(() => {
  vi.useFakeTimers();
  memory = new LogMemory();
});

afterEach(() => {
  memory.close();
  vi.useRealTimers();
});

const at = (position: number): LogHead => ({ position, hash: Buffer.from([position]) });
const stream = (state: unknown): FoldedStream => ({ version: 1, state, snapshot: 0 });
const keys = new Map<string, Buffer | null>();

/** A command at this position, one event after the last, that used these streams. */
function decided(tenantId: string, position: number, ...streams: string[]): void {
  const used = new Map(streams.map((id) => [id, stream(position)]));
  memory.remember(tenantId, at(position - 1), { head: at(position), streams: used, keys });
}

const streamsOf = (tenantId: string) => [...(memory.recall(tenantId)?.streams.keys() ?? [])];

it('adds what a command used to what was known of the same log', () => {
  decided('a', 1, 'x', 'y');
  decided('a', 2, 'x', 'z');
  expect(streamsOf('a')).toEqual(['y', 'x', 'z']);
  expect(memory.recall('a')).toMatchObject({ head: { position: 2 } });
  expect(memory.recall('a')!.streams.get('x')).toEqual(stream(2));
});

it('gives up what was known of a log that has moved since', () => {
  decided('a', 1, 'x', 'y');
  decided('a', 3, 'x');
  expect(streamsOf('a')).toEqual(['x']);
});

it('keeps the hundred streams of a tenant that were used last', () => {
  for (let n = 1; n <= 150; n += 1) decided('a', n, 'always', `s${n}`);
  expect(streamsOf('a')).toHaveLength(100);
  expect(streamsOf('a').slice(-2)).toEqual(['always', 's150']);
  expect(streamsOf('a')[0]).toBe('s52');
});

it('keeps 20,000 streams, of the tenants that were there last', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => `s${n}`);
  for (let n = 0; n < 200; n += 1) decided(`t${n}`, 1, ...hundred);
  decided('t0', 2, 's0');
  decided('late', 1, 's0');
  expect([streamsOf('t0').length, streamsOf('t1').length, streamsOf('t2').length]).toEqual([100, 0, 100]);
});

it('forgets a tenant of whom nothing was heard for 75 seconds', () => {
  decided('a', 1, 'x');
  vi.advanceTimersByTime(50_000);
  decided('b', 1, 'x');
  expect(streamsOf('a')).toEqual(['x']);
  vi.advanceTimersByTime(25_000);
  expect([streamsOf('a'), streamsOf('b')]).toEqual([[], ['x']]);
});
