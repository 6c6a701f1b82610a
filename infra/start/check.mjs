// `npm run check`: installs missing packages, then checks lint, types, format, unused code and generated files.
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './expected-error.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, runChecks } from './tests.mjs';

try {
  checkNode();
  await ensureInstalled();
  await runChecks(ensureBuilt(['backend']));
  report();
} catch (error) {
  fail(describeFolderError(error));
}
