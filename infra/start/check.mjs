// `npm run check`: installs what is missing and looks at types, lint, format, unused code and generated files.
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './halt.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, runCheck } from './tests.mjs';

const checks = ['check:lint', 'check:types', 'check:format', 'check:unused', 'check:generated'];

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
  report();
} catch (error) {
  fail(describeFolderError(error));
}
