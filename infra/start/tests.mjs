// Runs checks and tests, and adds up how they ended.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './folder.mjs';
import { npm, runProgram } from './processes.mjs';

const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
/** Projects whose suites run one after the other: they measure, or take the whole machine. */
const alone = ['alone', 'containers'];
/** Suites at a time: those of `system` wait for processes more than they compute. */
const suitesAtATime = (project) => Math.ceil(availableParallelism() * (project === 'system' ? 1.5 : 1));
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skippedSuites = new Map();

/** Runs one check and shows what it said once it is over, so that those of several do not mingle. */
export async function runCheck(name) {
  const started = Date.now();
  const said = [];
  const passed = await npm(['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (chunk) => said.push(chunk),
  }).then(
    () => true,
    () => false,
  );
  total[passed ? 'passed' : 'failed'] += 1;
  if (!passed) failures.push(name);
  process.stdout.write(Buffer.concat(said));
  console.log(`${passed ? 'PASS' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}

/** Runs the suites of these jest projects, with these variables beside those that there are. */
export async function runTests(projects, environment = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-test-'));
  const file = path.join(folder, 'result.json');
  try {
    const options = ['--json', `--outputFile=${file}`, '--passWithNoTests', '--selectProjects', ...projects];
    const workers = alone.includes(projects[0])
      ? ['--runInBand']
      : [`--maxWorkers=${suitesAtATime(projects[0])}`];
    // With --json jest prints its result there too; the report for people goes to standard error.
    await runProgram(process.execPath, [...jest, ...workers, ...options], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    }).catch(() => {});
    count(JSON.parse(await readFile(file, 'utf8')), projects);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function count(result, projects) {
  total.passed += result.numPassedTests;
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests;
  if (!result.success) failures.push(`jest ${projects.join(' ')}`);
  for (const suite of result.testResults) {
    const names = suite.assertionResults
      .filter((test) => test.status === 'pending')
      .map((test) => test.ancestorTitles[0] ?? test.title);
    for (const name of names) skippedSuites.set(name, (skippedSuites.get(name) ?? 0) + 1);
  }
}

/** Says what was skipped and what failed, then how much of each; sets the exit code. */
export function report() {
  for (const [name, tests] of skippedSuites) console.log(`SKIPPED ${name}: ${tests}`);
  for (const name of failures) console.log(`FAILED ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
