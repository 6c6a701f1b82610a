// Runs checks and tests, and reports the totals.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './folder.mjs';
import { npm, processorSeconds, runProgram } from './processes.mjs';

/**
 * The share of the processor time of a whole run that one test file may use, unless its name tells that it kills processes
 * (`*.fault.spec.ts`): 45 s of 15 minutes. A share means the same on a slow machine.
 */
const DEAR = 0.05;

const costs = [];
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skippedSuites = new Map();

/** Lint includes the types. */
const checks = ['check:lint', 'check:format', 'check:unused', 'check:generated'];

/** Runs all checks, one after the other; the last one waits for the promise `built`. */
export async function runChecks(built) {
  for (const check of checks) {
    if (check === 'check:generated') await built;
    await runCheck(check);
  }
}

/** Runs one check with a lower priority than the tests that run at the same time; prints its output if it failed. */
async function runCheck(name) {
  const started = Date.now();
  const said = [];
  const passed = await npm(['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (chunk) => said.push(chunk),
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
  }).then(
    () => true,
    () => false,
  );
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) {
    failures.push(name);
    process.stdout.write(Buffer.concat(said));
  }
  console.log(`${passed ? 'PASS' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** Tests are ES modules, which Jest can load only with this option of Node. */
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

/** Runs Jest with these arguments and additional variables. Returns whether it succeeded. */
function runJest(args, environment = {}) {
  return runProgram(process.execPath, [...jest, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  }).then(
    () => true,
    () => false,
  );
}

/** Runs the suites of these projects, `workers` files at a time, with additional variables. */
export async function runTests(projects, { workers, environment }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = [`--maxWorkers=${workers}`, '--json', `--outputFile=${file}`, '--passWithNoTests'];
    const told = path.join(folder, 'costs');
    const passed = await runJest([...options, '--selectProjects', ...projects], {
      ...environment,
      RENDE_TEST_COSTS: told,
    });
    const result = JSON.parse(await readFile(file, 'utf8'));
    count(result);
    costs.push(
      ...(await readFile(told, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    const named = failuresIn(result);
    failures.push(...named);
    // An error outside of any test also fails the run; Jest has printed it.
    if (!passed && named.length === 0) failures.push(`jest ${projects.join(' ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs the tests that Jest finds by these arguments (paths, or options of Jest), with Jest's own report. */
export async function runSome(args) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = ['--ignoreProjects', 'containers', 'speed', '--json', `--outputFile=${file}`];
    if (!(await runJest([...args, ...options]))) process.exitCode = 1;
    // Options that run no test, such as --listTests, write no result.
    const result = await readFile(file, 'utf8').catch(() => undefined);
    if (result) count(JSON.parse(result));
    tellSkipped();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The name of a skipped suite says what this machine lacks. */
function tellSkipped() {
  for (const [name, tests] of skippedSuites) console.log(`SKIPPED ${name}: ${tests}`);
}

function count(result) {
  total.passed += result.numPassedTests;
  // A file that could not run has no tests, and counts as one failure.
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests;
  for (const suite of result.testResults) {
    const names = suite.assertionResults
      .filter((test) => test.status === 'pending')
      .map((test) => test.ancestorTitles[0] ?? test.title);
    for (const name of names) skippedSuites.set(name, (skippedSuites.get(name) ?? 0) + 1);
  }
}

/** Each failed test, and each file that could not run, with the first lines of its error, for the end of a long log. */
function failuresIn(result) {
  return result.testResults.flatMap((suite) => {
    const file = path.relative(root, suite.name);
    const failed = suite.assertionResults.filter((test) => test.status === 'failed');
    if (suite.status === 'failed' && failed.length === 0) return [`${file}\n${beginningOf(suite.message)}`];
    return failed.map((test) => `${file} ${test.fullName}\n${beginningOf(test.failureMessages.join('\n'))}`);
  });
}

const beginningOf = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, 12)
    .join('\n')
    .slice(0, 1500);

/** Prints what a whole run cost, and the dearest files; those that used too much count as failures. */
export function reportCosts() {
  const below = costs.reduce((sum, cost) => sum + cost.below, 0);
  const all = processorSeconds() + below;
  costs.sort((a, b) => b.seconds - a.seconds);
  console.log(
    `Processor time: ${(all / 60).toFixed(1)} min, of which browsers ${(below / 60).toFixed(1)}; the files that used most:`,
  );
  for (const { file, seconds } of costs.slice(0, 10))
    console.log(`${seconds.toFixed(0).padStart(5)} s ${file}`);
  for (const { file, seconds } of costs) {
    if (seconds > DEAR * all && !file.includes('.fault.'))
      failures.push(
        `${file}\nused ${seconds.toFixed(0)} s of processor, more than ${DEAR * 100} % of the run`,
      );
  }
}

/** Prints what was skipped and failed, then the totals; sets the exit code. */
export function report() {
  tellSkipped();
  for (const name of failures) console.log(`FAILED ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
