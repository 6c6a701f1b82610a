import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';

/** Of a long page, so many from its top. */
const SCREENS = 3;

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });

/** A window of a person of their own on the instance at `url`, and what photographs it into `folder`. */
export async function openWindow(browser, { url, folder, viewport }) {
  await mkdir(folder, { recursive: true });
  const isPhone = viewport.width < 768;
  const context = await browser.newContext({
    ...{ baseURL: url, viewport, isMobile: isPhone, hasTouch: isPhone },
    ...{ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce', serviceWorkers: 'block' },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);

  /** In both themes. */
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
    /** What `open` opens over a page, to its end where it scrolls. */
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
    /** A page that does not get what it asks for: `prevent` sees to it. */
    deprive: async (name, address, prevent, patience) => {
      // Nothing that the device keeps helps out.
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
