/** Below this age a guardian signs. */
export const FULL_AGE = 18;

/** Compares two calendar dates. A person born on 29 February comes of age on 1 March. */
export const isMinor = (birth: string, today: string): boolean =>
  today < `${Number(birth.slice(0, 4)) + FULL_AGE}${birth.slice(4)}`;
