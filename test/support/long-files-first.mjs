import TestSequencer from '@jest/test-sequencer';

const order = ['system', 'integration', 'unit'];
const placeOf = ({ context }) => order.indexOf(context.config.displayName?.name);

/** Kinds with long files begin: at the end, workers share short ones, and none waits for another's long one. */
export default class LongFilesFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => placeOf(a) - placeOf(b));
  }
}
