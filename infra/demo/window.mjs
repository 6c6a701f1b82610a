import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';

/** Maximum height of a page's screenshot, in screens. */
const SCREENS = 3;

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });

/** Opens a separate browser context on the instance at `url`, with functions that save screenshots in `folder`. */
export async function openWindow(browser, { url, folder, viewport }) {
  await mkdir(folder, { recursive: true });
  const isPhone = viewport.width < 768;
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);

  /** Takes a screenshot in both themes. */
  const shoot = async (name, options) => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const file = path.join(folder, `${name}-${viewport.width}-${colorScheme}.png`);
      await page.screenshot({ path: file, ...options });
    }
  };
  const take = async (name, options) => {
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(300);
    await shoot(name, options);
  };
  return {
    page,
    take,
    visit: async (address) => {
      await page.goto(address);
      await page.getByRole('heading').first().waitFor();
      const name = address.replace(/[0-9a-f-]{36}/, 'id').replace(/[^\w-]+/g, '_');
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      const whole = await page.evaluate('document.documentElement.scrollHeight');
      const height = Math.min(whole, SCREENS * viewport.height);
      await take(name.replace(/^_|_$/g, '') || 'inicio', {
        fullPage: true,
        clip: { x: 0, y: 0, width: viewport.width, height },
      });
    },
    /** Takes a screenshot of what `open` opens over a page, and another of its end if it scrolls. */
    open: async (name, address, open, close) => {
      await page.goto(address);
      await page.getByRole('heading').first().waitFor();
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      await open(page);
      await take(name);
      const rest = await page.evaluate(`(() => {
        const sheet = document.querySelector('[role=dialog]');
        sheet?.scrollTo(0, sheet.scrollHeight);
        return sheet?.scrollTop > 0;
      })()`);
      if (rest) await take(`${name}-fim`);
      await close?.(page);
    },
    /** Takes a screenshot of a page whose requests `prevent` blocks. */
    deprive: async (name, address, prevent, patience) => {
      // Delete the offline cache, so that the page cannot use it.
      await page.goto('/icon.svg');
      await page.evaluate("indexedDB.deleteDatabase('rende-kept')");
      await prevent(page);
      await page.goto(address);
      await page.waitForTimeout(patience);
      await shoot(name);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    },
    signIn: async (account) => {
      await page.goto('/auth');
      await page.getByLabel('E-mail').fill(account.email);
      await page.getByLabel('Senha', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Entrar' }).click();
      await page.getByRole('heading', { name: /^Olá, / }).waitFor();
    },
    close: () => context.close(),
  };
}
