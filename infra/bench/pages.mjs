// `npm run bench:pages`: measures how quick the pages are on a phone's processor, and fails where they are slower than allowed.
import { ensureBuilt } from '../start/build.mjs';
import { describeFolderError } from '../start/folder.mjs';
import { fail } from '../start/expected-error.mjs';
import { ensureInstalled } from '../start/install.mjs';
import { checkNode } from '../start/processes.mjs';
import { report, runTests } from '../start/tests.mjs';

try {
  checkNode();
  await ensureInstalled();
  await ensureBuilt();
  await runTests(['speed'], { workers: 1 });
  report();
} catch (error) {
  fail(describeFolderError(error));
}
