import { parentPort } from 'node:worker_threads';
import { writeSignedCopy } from './modules/contracts/signed-copy.pdf.js';
import { ownStatementFile } from './modules/credits/own-statement.pdf.js';
import { dossierFile } from './modules/dossier/dossier.pdf.js';
import { monthReport } from './modules/receipts/month-report.pdf.js';
import { receiptFile } from './modules/receipts/receipt-file.pdf.js';
import type { DrawnFile } from './platform/pdf/pdf-writer.service.js';

/** The files that are drawn here, by name. */
const drawings: Readonly<Record<string, (facts: never) => Promise<Buffer>>> = {
  'signed-copy': writeSignedCopy,
  'credit-statement': ownStatementFile,
  dossier: dossierFile,
  month: monthReport,
  receipt: receiptFile,
};

// An error ends the thread and rejects the waiting call.
parentPort!.on('message', ({ name, facts }: DrawnFile) => {
  void drawings[name]!(facts as never).then((file) => parentPort!.postMessage(file));
});
