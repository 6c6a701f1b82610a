/** The present moment. Tests give the application another one. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
