import { runInNewContext } from 'node:vm';

const BOUND_MS = 10_000;

/** Runs what takes milliseconds; ends it where a regular expression would go on for minutes, which no test's time limit does. */
export const withinBound = <Result>(work: () => Result): Result =>
  runInNewContext('work()', { work }, { timeout: BOUND_MS }) as Result;
