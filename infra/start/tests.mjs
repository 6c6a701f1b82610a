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

/** Runs the suites of these projects, so many files at a time, with these variables beside those that there are. */
export async function runTests(projects, { workers, environment = {} }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = [
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      '--passWithNoTests',
    ];
    const selected = projects.map((project) => `--project=${project}`);
    const passed = await runProgram(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...selected, `--maxWorkers=${workers}`, ...options],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } },
    ).then(
      () => true,
      () => false,
    );
    const result = JSON.parse(await readFile(file, 'utf8'));
    count(result);
    const named = failuresIn(result);
    failures.push(...named);
    // An error that belongs to no test fails the run all the same; vitest has shown it.
    if (!passed && named.length === 0) failures.push(`vitest ${projects.join(' ')}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function count(result) {
  total.passed += result.numPassedTests;
  total.failed += result.numFailedTests;
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
  for (const [name, tests] of skippedSuites) console.log(`SKIPPED ${name}: ${tests}`);
  for (const name of failures) console.log(`FAILED ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
