import { runInNewContext } from 'node:vm';

const BOUND_MS = 10_000;

/** Runs a short function with a time limit that also stops a regular expression that backtracks, unlike Jest's. */
export const withinBound = <Result>(work: () => Result): Result =>
  runInNewContext('work()', { work }, { timeout: BOUND_MS }) as Result;
