import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page as it is shown, one line for each element: of all its rules, or of these alone. */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  // A page keeps it until it is loaded again.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}
