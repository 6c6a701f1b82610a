/** A reason to stop that the person at the keyboard can act on: printed as one line, without a stack. */
export class Halt extends Error {}

/** Prints why a command stopped and sets its exit code. */
export function fail(error) {
  console.error(error instanceof Halt ? `Rende: ${error.message}` : error);
  process.exitCode = 1;
}
