declare module 'pg/lib/utils.js' {
  /** Converts a value to the form in which pg sends it. */
  export const prepareValue: ((value: unknown) => string | Buffer | null) | undefined;
}
