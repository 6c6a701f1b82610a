import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Has axe judge a text's contrast once in a page: not again where a text of the same colour and size lies on the same layers,
 * as the next day of a calendar does. Only what has passed is remembered.
 */
const judgeContrastOnce = `(() => {
  const check = axe._audit.checks['color-contrast'];
  const judge = check.evaluate;
  const passed = new Set();
  let tree, layers;
  const layerOf = (element) => {
    let layer = layers.get(element);
    if (!layer) {
      const { opacity, backgroundColor, backgroundImage, mixBlendMode } = getComputedStyle(element);
      const above = element.parentElement ? layerOf(element.parentElement).opacity : '';
      layer = { opacity: opacity === '1' ? above : above + ' ' + opacity };
      layer.look = [backgroundColor, backgroundImage, mixBlendMode, layer.opacity].join();
      layers.set(element, layer);
    }
    return layer;
  };
  check.evaluate = function (node, options, virtualNode) {
    // Each run has a tree of its own.
    if (tree !== axe._tree) [tree, layers] = [axe._tree, new Map()];
    const { color, fontSize, fontWeight, textShadow, webkitTextStroke } = getComputedStyle(node);
    const below = axe.commons.dom
      .getTextElementStack(node)
      .map((stack) => stack.map((element) => (element === node) + layerOf(element).look).join('/'));
    const key = [color, fontSize, fontWeight, textShadow, webkitTextStroke, ...below].join(';');
    if (passed.has(key)) {
      this.data({});
      return true;
    }
    const result = judge.call(this, node, options, virtualNode);
    // What is not seen passes in any colour.
    if (result === true && axe.commons.dom.isVisibleOnScreen(node)) passed.add(key);
    return result;
  };
})()`;

/** Axe's violations, one line per element: of all rules, or only of these; in the current page, or only within an element. */
export async function axeFindings(
  page: Page,
  { rules, within = 'html' }: { rules?: string[]; within?: string } = {},
): Promise<string[]> {
  // The script stays in the page until a reload.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(`${source}
${judgeContrastOnce}`);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(`axe.run('${within}', ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}
