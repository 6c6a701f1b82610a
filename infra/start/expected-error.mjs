/** An error that the person at the terminal can solve: printed as one line, without a stack. */
export class ExpectedError extends Error {}

/** Prints why a command stopped and sets its exit code. */
export function fail(error) {
  console.error(error instanceof ExpectedError ? `Rende: ${error.message}` : error);
  process.exitCode = 1;
}
