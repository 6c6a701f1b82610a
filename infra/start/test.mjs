// `npm test`: installs and builds what is missing, runs every check and every test, and adds it all up.
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './halt.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, runCheck, runTests } from './tests.mjs';

const checks = ['check:types', 'check:lint', 'check:format', 'check:unused', 'check:generated'];

try {
  checkNode();
  await ensureInstalled();
  await ensureBuilt();
  const waiting = checks.values();
  await Promise.all(
    [1, 2].map(async () => {
      for (const check of waiting) await runCheck(check);
    }),
  );
  await runTests(['unit', 'integration']);
  await runTests(['system']);
  await runTests(['alone']);
  report();
} catch (error) {
  fail(describeFolderError(error));
}
