import { prepareRun } from './run.mjs';

// Runs before the suites that use the built server.
export default () => prepareRun(['backend']);
