import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { axeFindings } from './axe.js';

const LIMIT_KB = 60;
/** The document, its script, its style sheet and an icon. */
const REQUESTS = 4;

/** Opens a page that the server writes, and expects that it loads little. */
export async function openLightly(page: Page, path: string): Promise<void> {
  const sizes: Promise<number>[] = [];
  const weigh = (answer: Response) => {
    if (!answer.url().includes('/api/'))
      sizes.push(
        answer.body().then(
          (body) => gzipSync(body).length / 1000,
          () => 0,
        ),
      );
  };
  page.on('response', weigh);
  await page.goto(path, { waitUntil: 'networkidle' });
  // Others go on listening, such as for the page's complaints.
  page.off('response', weigh);
  expect(sizes.length).toBeLessThanOrEqual(REQUESTS);
  expect((await Promise.all(sizes)).reduce((sum, each) => sum + each, 0)).toBeLessThan(LIMIT_KB);
}

/** In both themes, on a narrow phone, also with large letters, and on a wide screen. */
export async function expectToLookWell(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  const before = page.viewportSize()!;
  for (const [width, letters] of [
    [320, '200%'],
    [320, '100%'],
    [1440, '100%'],
  ] as const) {
    await page.setViewportSize({ ...before, width });
    await page.evaluate(`document.documentElement.style.fontSize = '${letters}'`);
    const scrolls = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect([width, letters, scrolls]).toEqual([width, letters, false]);
  }
  await page.evaluate("document.documentElement.style.fontSize = ''");
  await page.setViewportSize(before);
}
