import { afterAll, expect } from '@jest/globals';
import { closeAll } from './cleanup.js';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { processorSeconds, secondsBelow } from '../../infra/start/processes.mjs';

const before = processorSeconds();
const belowBefore = secondsBelow();

/**
 * Tells a run of all tests how much processor this test file used, and how much of it is that of processes which nobody waits
 * for: the worker's browser. Postgres is not counted.
 */
function tellCost(): void {
  const { RENDE_TEST_COSTS: costs } = process.env;
  if (costs === undefined) return;
  const below = secondsBelow() - belowBefore;
  const cost = {
    file: relative(process.cwd(), expect.getState().testPath!),
    seconds: processorSeconds() - before + below,
    below,
  };
  appendFileSync(costs, `${JSON.stringify(cost)}\n`);
}

// Runs before each test file.
afterAll(async () => {
  await closeAll();
  tellCost();
});
