import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { FileAnswer } from './file-rows.worker.js';
import { readFile } from './read-file.js';

/** A thread that never answers by itself. */
class SilentThread extends EventTarget {
  static last: SilentThread;
  postMessage = jest.fn();
  terminate = jest.fn();
  constructor() {
    super();
    SilentThread.last = this;
  }
  answer(data: FileAnswer) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

const file = (size: number) =>
  ({ size, arrayBuffer: () => Promise.resolve(new ArrayBuffer(4)) }) as unknown as File;
const begun = () => jest.advanceTimersByTimeAsync(0);

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { Worker: SilentThread });
});
afterEach(() => void jest.useRealTimers());

it('ends a thread that takes too long with a file, and says that the file is too large', async () => {
  const refused = expect(readFile(file(4))).rejects.toThrow('Este arquivo é grande demais.');
  await jest.advanceTimersByTimeAsync(20_000);
  await refused;
  expect(SilentThread.last.terminate).toHaveBeenCalled();
});

it('gives what the thread read, and its refusal', async () => {
  const read = readFile(file(4));
  await begun();
  SilentThread.last.answer({ rows: [['Ana']], areContacts: false });
  expect(await read).toEqual({ rows: [['Ana']], areContacts: false });
  const refused = expect(readFile(file(4))).rejects.toThrow('O arquivo está vazio.');
  await begun();
  SilentThread.last.answer({ problem: 'O arquivo está vazio.' });
  await refused;
  expect(SilentThread.last.terminate).toHaveBeenCalled();
});

it('refuses a file of 100 MB before it is read', async () => {
  await expect(readFile(file(100_000_000))).rejects.toThrow('O arquivo tem 100 MB. Envie um de até 10 MB.');
});
