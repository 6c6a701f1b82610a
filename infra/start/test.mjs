// `npm test`: installs and builds what is missing, runs all checks and tests, and reports the totals.
// With arguments, runs only the tests that they name: `npm test -- test/students`.
// `npm run test:long` is the same with `--long`: what tests repeat or try at random, many times (test/support/rounds.ts).
import { availableParallelism } from 'node:os';
import { ensureBuilt } from './build.mjs';
import { describeFolderError } from './folder.mjs';
import { fail } from './expected-error.mjs';
import { ensureInstalled } from './install.mjs';
import { checkNode } from './processes.mjs';
import { report, reportCosts, runChecks, runSome, runTests } from './tests.mjs';

// Most test files wait for processes, databases and browsers more than they compute.
const filesAtOnce = Math.ceil(availableParallelism() * 1.5);

async function runEverything() {
  const built = ensureBuilt();
  const checked = runChecks(built);
  const tested = built.then(() =>
    runTests(['unit', 'components', 'integration', 'system'], { workers: filesAtOnce }),
  );
  await Promise.all([checked, tested]);
  await runTests(['alone'], { workers: 1 });
  reportCosts();
  report();
}

try {
  checkNode();
  const named = process.argv.slice(2).filter((each) => each !== '--long');
  if (process.argv.includes('--long')) process.env.RENDE_TEST_LONG = 'true';
  await ensureInstalled();
  await (named.length > 0 ? runSome(named) : runEverything());
} catch (error) {
  fail(describeFolderError(error));
}
