import { parentPort, workerData } from 'node:worker_threads';
import { type BusyAsked, BusyReader } from './busy-times.ics.js';

const reader = new BusyReader(workerData as BusyAsked);

/** Each part is answered: with null, or with the result, which is known after the last part (null) at the latest. */
parentPort!.on('message', (part: Uint8Array | null) => {
  parentPort!.postMessage(part === null ? reader.end() : reader.push(part));
});
