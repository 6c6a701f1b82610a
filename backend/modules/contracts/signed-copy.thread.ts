import { parentPort } from 'node:worker_threads';
import { type Evidence, writeSignedCopy } from './signed-copy.pdf.js';

// What it throws ends the thread and reaches whoever waits.
parentPort!.on('message', (evidence: Evidence) => {
  void writeSignedCopy(evidence).then((file) => parentPort!.postMessage(file));
});
