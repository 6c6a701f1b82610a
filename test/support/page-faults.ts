import type { Page } from 'playwright-core';
import { axeFindings } from './axe.js';
import type { Screen } from './browser.js';

const SMALLEST_TARGET = 44;

/** Visible controls that are too small for a thumb; without links in sentences, which are part of the text. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=tab], [role=option]';
    const seen = [...document.querySelectorAll(controls)].filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !control.closest('[inert], p'));
    return seen.flatMap((control) => {
      // A field's label counts as part of its area.
      const areas = [control, ...(control.labels ?? [])].map((area) => area.getBoundingClientRect());
      const isLarge = ({ width, height }) => width >= ${SMALLEST_TARGET} - 0.5 && height >= ${SMALLEST_TARGET} - 0.5;
      if (areas[0].bottom < 0 || areas[0].width <= 1 || areas.some(isLarge)) return [];
      const { width, height } = areas[0];
      return [control.outerHTML.slice(0, 120) + ' ' + Math.round(width) + ' x ' + Math.round(height)];
    });
  })()`);
}

/** Visible amounts and times without digits of equal width, which would not align in columns. */
function uneven(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const figures = /\\d,\\d\\d(?!\\d)|\\d:\\d\\d/;
    const isUneven = (element) =>
      element.checkVisibility() && !getComputedStyle(element).fontVariantNumeric.includes('tabular-nums');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [...document.querySelectorAll('input')].filter(({ value }) => figures.test(value));
    while (texts.nextNode())
      if (figures.test(texts.currentNode.data)) found.push(texts.currentNode.parentElement);
    return found.filter(isUneven).map((element) => element.outerHTML.slice(0, 120));
  })()`);
}

/** Visible texts in another font than the application's; without codes, which have their own font. */
function otherFonts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set(document.querySelectorAll('input, textarea, select'));
    while (texts.nextNode()) if (texts.currentNode.data.trim()) found.add(texts.currentNode.parentElement);
    const isOther = (element) =>
      element.checkVisibility() && !/^(Geist|ui-monospace),/.test(getComputedStyle(element).fontFamily);
    return [...found].filter(isOther).map((element) => element.outerHTML.slice(0, 120));
  })()`);
}

const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Axe's violations in both themes; in the dark one only colours are checked, since all else is the same. Begins with the theme
 * that the page has, because a change draws the whole page again.
 */
async function violations(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const rules = colorScheme === 'dark' ? COLOURS : undefined;
    const findings = await axeFindings(page, { rules, within });
    found.push(...findings.map((finding) => `${colorScheme} ${finding}`));
  }
  return found;
}

/** By how many pixels the page scrolls sideways, as it is and, unless it is looked at `again`, with text of twice the size. */
function sideways(page: Page, again: boolean): Promise<[usual: number, large: number]> {
  return page.evaluate(`(async () => {
    const root = document.documentElement;
    const overflow = () => root.scrollWidth - root.clientWidth;
    const frames = async () => {
      // Menus and calendars move to their new place in the frame after.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    };
    await frames();
    const usual = overflow();
    if (${again}) return [usual, 0];
    root.style.fontSize = '200%';
    await frames();
    const large = overflow();
    root.style.fontSize = '';
    return [usual, large];
  })()`);
}

/**
 * All faults of the current page, in both themes: axe's violations, horizontal scrolling (also with text of twice the size), controls that are too small for a
 * thumb, digits of unequal width, texts in another font, and the page's complaints. Axe checks only what is `within` an
 * element, if the rest was checked before and has not changed. Of what was checked in a narrower size (`again`) only what
 * depends on the room: colours in the theme that the page has, scrolling and controls.
 */
export async function faults(
  { page, complaints }: Screen,
  address: string,
  within?: string,
  again = false,
): Promise<string[]> {
  const [usual, large] = await sideways(page, again);
  return [
    ...(usual > 0 ? [`scrolls sideways by ${usual} px`] : []),
    ...(large > 0 ? [`text of 200 % scrolls sideways by ${large} px`] : []),
    ...(await tooSmall(page)).map((control) => `small target: ${control}`),
    ...(again ? [] : await uneven(page)).map((text) => `uneven figures: ${text}`),
    ...(again ? [] : await otherFonts(page)).map((text) => `other font: ${text}`),
    ...(await (again ? axeFindings(page, { rules: COLOURS, within }) : violations(page, within))),
    ...complaints.splice(0),
  ].map((fault) => `${address}  ${fault}`);
}
