import { prepareRun } from './run.mjs';

// Runs before the suites that also open the built pages in a browser.
export default () => prepareRun();
