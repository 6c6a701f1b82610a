// `npm test`: installs and builds what is missing, runs every check and every test, and adds it all up.
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './halt.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, runCheck, runTests } from './tests.mjs';

const checks = ['check:types', 'check:lint', 'check:format', 'check:unused', 'check:generated'];

// Most test files wait for processes, databases and browsers more than they compute.
const filesAtOnce = Math.ceil(availableParallelism() * 1.5);

async function runChecks() {
  for (const check of checks) await runCheck(check);
}

try {
  checkNode();
  await ensureInstalled();
  await ensureBuilt();
  await Promise.all([runChecks(), runTests(['unit', 'integration', 'system'], { workers: filesAtOnce })]);
  await runTests(['alone'], { workers: 1 });
  report();
} catch (error) {
  fail(describeFolderError(error));
}
