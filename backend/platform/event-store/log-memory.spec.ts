import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { FoldedStream, LogHead } from './command-transaction.js';
import { LogMemory } from './log-memory.js';

let memory: LogMemory;

beforeEach(() => {
  jest.useFakeTimers();
  memory = new LogMemory();
});

afterEach(() => {
  memory.close();
  jest.useRealTimers();
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

it('drops the streams of a log that another process has appended to', () => {
  decided('a', 1, 'x', 'y');
  decided('a', 3, 'x');
  expect(streamsOf('a')).toEqual(['x']);
});

/** A state that takes about so many kilobytes in memory. */
const large = (kilobytes: number) => 'x'.repeat(kilobytes * 512);

function decidedLarge(tenantId: string, position: number, kilobytes: number, ...streams: string[]): void {
  const used = new Map(streams.map((id) => [id, stream(large(kilobytes))]));
  memory.remember(tenantId, at(position - 1), { head: at(position), streams: used, keys });
}

it('keeps at most 512 KiB of a tenant: the streams that were used last', () => {
  for (let n = 1; n <= 12; n += 1) decidedLarge('a', n, 100, 'always', `s${n}`);
  expect(streamsOf('a')).toEqual(['s9', 's10', 's11', 'always', 's12']);
});

it('does not keep a stream that alone is larger', () => {
  decidedLarge('a', 1, 600, 'x');
  expect(streamsOf('a')).toEqual([]);
});

it('keeps at most 64 MiB: the tenants that were used last', () => {
  for (let n = 0; n < 128; n += 1) decidedLarge(`t${n}`, 1, 500, 's0');
  decidedLarge('t0', 2, 500, 's0');
  for (const late of ['u0', 'u1', 'u2', 'u3', 'u4']) decidedLarge(late, 1, 500, 's0');
  expect([streamsOf('t0').length, streamsOf('t1').length, streamsOf('t127').length]).toEqual([1, 0, 1]);
});

it('drops a tenant without commands for 75 seconds', () => {
  decided('a', 1, 'x');
  jest.advanceTimersByTime(50_000);
  decided('b', 1, 'x');
  expect(streamsOf('a')).toEqual(['x']);
  jest.advanceTimersByTime(25_000);
  expect([streamsOf('a'), streamsOf('b')]).toEqual([[], ['x']]);
});
