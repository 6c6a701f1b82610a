import { prepareRun } from './run.mjs';

// Before the suites that use the built server.
export default () => prepareRun(['backend']);
