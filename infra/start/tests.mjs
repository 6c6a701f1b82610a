// Runs checks and tests, and adds up how they ended.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './folder.mjs';
import { npm, runProgram } from './processes.mjs';

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skippedSuites = new Map();

const checks = ['check:lint', 'check:types', 'check:format', 'check:unused', 'check:generated'];

/** Runs every check, one after the other; the last one needs what is `built`. */
export async function runChecks(built) {
  for (const check of checks) {
    if (check === 'check:generated') await built;
    await runCheck(check);
  }
}

/** Runs one check on what the tests beside it leave of the processors; shows what it said if it failed. */
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

/** Tests are ES modules, which Jest can load only where Node is told so. */
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

/** Runs Jest with these arguments, and these variables beside those that there are. Answers whether all went well. */
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

/** Runs the suites of these projects, so many files at a time, with these variables beside those that there are. */
export async function runTests(projects, { workers, environment }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = [`--maxWorkers=${workers}`, '--json', `--outputFile=${file}`, '--passWithNoTests'];
    const passed = await runJest([...options, '--selectProjects', ...projects], environment);
    const result = JSON.parse(await readFile(file, 'utf8'));
    count(result);
    const named = failuresIn(result);
    failures.push(...named);
    // An error that belongs to no test fails the run all the same; Jest has shown it.
    if (!passed && named.length === 0) failures.push(`jest ${projects.join(' ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs the tests that Jest finds by these arguments (paths, or its options), with Jest's own report. */
export async function runSome(args) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = ['--ignoreProjects', 'containers', '--json', `--outputFile=${file}`];
    if (!(await runJest([...args, ...options]))) process.exitCode = 1;
    // None of an option that runs nothing, such as --listTests.
    const result = await readFile(file, 'utf8').catch(() => undefined);
    if (result) count(JSON.parse(result));
    tellSkipped();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Suites that this machine cannot run say what it lacks. */
function tellSkipped() {
  for (const [name, tests] of skippedSuites) console.log(`SKIPPED ${name}: ${tests}`);
}

function count(result) {
  total.passed += result.numPassedTests;
  // A file that could not run has no tests to count, and counts as one.
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests;
  for (const suite of result.testResults) {
    const names = suite.assertionResults
      .filter((test) => test.status === 'pending')
      .map((test) => test.ancestorTitles[0] ?? test.title);
    for (const name of names) skippedSuites.set(name, (skippedSuites.get(name) ?? 0) + 1);
  }
}

/** Each test that failed, and each file that could not run, with how what it said begins: the end of a long log names them. */
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

/** Says what was skipped and what failed, then how much of each; sets the exit code. */
export function report() {
  tellSkipped();
  for (const name of failures) console.log(`FAILED ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
