// `npm test`: installs and builds what is missing, makes every check and runs every test, and adds it all up.
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './halt.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, runChecks, runTests } from './tests.mjs';

// Most test files wait for processes, databases and browsers more than they compute.
const filesAtOnce = Math.ceil(availableParallelism() * 1.5);

try {
  checkNode();
  await ensureInstalled();
  const built = ensureBuilt();
  const checked = runChecks(built);
  const tested = built.then(() => runTests(['unit', 'integration', 'system'], { workers: filesAtOnce }));
  await Promise.all([checked, tested]);
  await runTests(['alone'], { workers: 1 });
  report();
} catch (error) {
  fail(describeFolderError(error));
}
