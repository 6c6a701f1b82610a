/** How often a test repeats what it tries: `few` times in `npm test`, `many` times in `npm run test:long`. */
export const rounds = (few: number, many: number): number => (process.env.RENDE_TEST_LONG ? many : few);
