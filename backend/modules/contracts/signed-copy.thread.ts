import { parentPort } from 'node:worker_threads';
import { type Evidence, writeSignedCopy } from './signed-copy.pdf.js';

// An error ends the thread and rejects the waiting call.
parentPort!.on('message', (evidence: Evidence) => {
  void writeSignedCopy(evidence).then((file) => parentPort!.postMessage(file));
});
