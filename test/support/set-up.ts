import { afterAll, expect } from '@jest/globals';
import { closeAll } from './cleanup.js';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { processorSeconds } from '../../infra/start/processes.mjs';

const before = processorSeconds();

/** Tells a run of all tests how much processor this test file used; a browser and Postgres are not counted. */
function tellCost(): void {
  const { RENDE_TEST_COSTS: costs } = process.env;
  if (costs === undefined) return;
  const cost = {
    file: relative(process.cwd(), expect.getState().testPath!),
    seconds: processorSeconds() - before,
  };
  appendFileSync(costs, `${JSON.stringify(cost)}\n`);
}

// Runs before each test file.
afterAll(async () => {
  await closeAll();
  tellCost();
});
