import { parentPort } from 'node:worker_threads';
import { type Evidence, writeSignedCopy } from './signed-copy.pdf.js';

// What it throws ends the thread and reaches whoever waits.
parentPort!.on('message', async (evidence: Evidence) => {
  parentPort!.postMessage(await writeSignedCopy(evidence));
});
