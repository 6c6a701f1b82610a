// `npm run shots -- <e-mail> <password>`: screenshots of every route of a running instance (RENDE_URL,
// http://localhost:3000 by default), on the phone and on the desk, in both themes, into `shots/`.
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../start/folder.mjs';
import { fail, Halt } from '../start/halt.mjs';

const [email, password] = process.argv.slice(2);
const url = process.env.RENDE_URL || 'http://localhost:3000';
const folder = path.join(root, 'shots');
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** Addresses that open something over a page. */
const opened = ['/agenda?novo=agendamento', '/agenda?modo=semana', '/financeiro?novo=lancamento', '/?buscar'];
const open = ['/auth', '/auth?aba=cadastro', '/nao-existe', '/dev/ui'];

try {
  if (!email || !password)
    throw new Halt('uso: npm run shots -- <e-mail> <senha>, como npm run demo os mostra.');
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  for (const size of sizes) await shoot(browser, size);
  await browser.close();
  console.log(`As telas estão em ${folder}.`);
} catch (error) {
  fail(error);
}

async function shoot(browser, viewport) {
  const context = await browser.newContext({
    ...{ baseURL: url, viewport, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' },
    ...{ reducedMotion: 'reduce', serviceWorkers: 'block' },
  });
  const page = await context.newPage();
  const take = async (address) => {
    await page.goto(address);
    await page.getByRole('heading').first().waitFor();
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(300);
    const name = address.replace(/[^\w-]+/g, '_').replace(/^_|_$/g, '') || 'inicio';
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: path.join(folder, `${name}-${viewport.width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
  };
  for (const address of open) await take(address);
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: /^Olá, / }).waitFor();
  await page.goto('/alunos');
  const student = await page.locator('a[href^="/alunos/edit/"]').first().getAttribute('href');
  await page.goto('/agenda?modo=dia');
  await page.getByRole('heading').first().waitFor();
  for (const address of [...(await routes(student)), ...opened]) await take(address);
  await context.close();
}

/** The trainer's routes, as the router knows them. */
async function routes(student) {
  const source = await readFile(path.join(root, 'frontend/src/app/pages.ts'), 'utf8');
  const [, own] = /trainerPages: Pages = \{([^}]*)\}/.exec(source);
  return [...own.matchAll(/'(\/[^']*)':/g)].map(([, route]) => (route.includes(':id') ? student : route));
}
