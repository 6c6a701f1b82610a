import { prepareRun } from './run.mjs';

// Before the suites that also open the built pages in a browser.
export default () => prepareRun();
