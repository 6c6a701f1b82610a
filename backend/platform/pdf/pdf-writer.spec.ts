import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { beforeEach, expect, it } from '@jest/globals';
import { type DrawnFile, PdfWriter } from './pdf-writer.service.js';

let writer: PdfWriter;
let thread: EventEmitter;
/** What the thread was asked to draw, in order. */
let asked: string[];

const turn = () => new Promise((resolve) => setImmediate(resolve));
const draw = async (text = 'file') => {
  thread.emit('message', new TextEncoder().encode(text));
  await turn();
};

beforeEach(() => {
  asked = [];
  thread = Object.assign(new EventEmitter(), {
    postMessage: ({ name }: DrawnFile) => void asked.push(name),
    terminate: () => Promise.resolve(0),
  });
  writer = new PdfWriter();
  writer['start'] = () => thread as Worker;
});

it('a file that is requested again is drawn once', async () => {
  const files = [writer.write('a', 'receipt', { numero: 1 }), writer.write('a', 'receipt', { numero: 1 })];
  await turn();
  await draw('one');
  expect(await Promise.all(files)).toEqual([Buffer.from('one'), Buffer.from('one')]);
  expect((await writer.write('a', 'receipt', { numero: 1 })).toString()).toBe('one');
  expect(asked).toEqual(['receipt']);
});

it('a file that could not be drawn is drawn when it is requested again', async () => {
  const failed = expect(writer.write('a', 'receipt', { numero: 1 })).rejects.toThrow('out of memory');
  await turn();
  thread.emit('error', new Error('out of memory'));
  await failed;
  const again = writer.write('a', 'receipt', { numero: 1 });
  await turn();
  await draw('one');
  expect((await again).toString()).toBe('one');
});

it('the files of one tenant do not keep those of another waiting', async () => {
  for (const numero of [1, 2, 3]) void writer.write('a', `a${numero}`, { numero });
  void writer.write('b', 'b1', {});
  await turn();
  for (let n = 0; n < 4; n += 1) await draw();
  expect(asked).toEqual(['a1', 'b1', 'a2', 'a3']);
});
