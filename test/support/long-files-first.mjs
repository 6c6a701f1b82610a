import TestSequencer from '@jest/test-sequencer';

const order = ['system', 'integration', 'components', 'unit'];
const placeOf = ({ context }) => order.indexOf(context.config.displayName?.name);

/** Runs the kinds with long test files first, so that at the end no worker is alone with a long file. */
export default class LongFilesFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b));
  }
}
