declare module 'pg/lib/utils.js' {
  /** A value as pg sends it. */
  export const prepareValue: ((value: unknown) => string | Buffer | null) | undefined;
}
