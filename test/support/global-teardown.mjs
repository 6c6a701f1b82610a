export { endRun as default } from './run.mjs';
