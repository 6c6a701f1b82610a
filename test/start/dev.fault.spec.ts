import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, open, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { openScreen } from '../support/browser.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { privatePort } from '../support/ports.js';

const copied = [
  'backend',
  'frontend',
  'infra',
  'migrations',
  '.swcrc',
  'nest-cli.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Less than the bound of a hook, which would not tell what the process says. */
const START_BOUND_MS = 500_000;

/** A watcher that reports at once reads an empty file, and does not report the second change. */
const EMPTY_MS = 20;

describeWithChromium('npm run dev', () => {
  let folder: string;
  let url: string;

  /** A copy of the project, because the test changes sources. */
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rende-dev-'));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    for (const name of copied) await cp(name, path.join(folder, name), { recursive: true });
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    const port = await privatePort();
    const child = spawn(process.execPath, ['infra/start/dev.mjs'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', PORT: String(port) },
    });
    const ended = once(child, 'exit');
    atEnd(async () => {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    url = `http://localhost:${port}`;
    const end = Date.now() + START_BOUND_MS;
    while (!output.includes(`Rende em desenvolvimento em ${url}`)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`not ready, it says:\n${output}`);
      await delay(50);
    }
    // The start is slow: it creates a database, compiles the backend and prepares the frontend's packages.
  });

  /** Saves a file as a busy editor does, which empties it some time before it writes it. */
  async function change(file: string, from: string, to: string): Promise<void> {
    const text = await readFile(path.join(folder, file), 'utf8');
    expect(text).toContain(from);
    const saved = await open(path.join(folder, file), 'w');
    await delay(EMPTY_MS);
    await saved.writeFile(text.replace(from, to));
    await saved.close();
  }

  it('answers with a changed backend, at the address of the pages', async () => {
    const description = () =>
      fetch(`${url}/api/openapi.json`).then(
        async (answer) => (answer.ok ? ((await answer.json()) as Contract).info.description : ''),
        () => '',
      );
    expect(await description()).toContain('RFC 9457');
    await change('backend/platform/http/openapi.ts', 'RFC 9457', 'RFC nova');
    await eventually(async () => (await description()).includes('RFC nova'), true);
  });

  it('shows a changed component in the page that is open, without loading it again', async () => {
    const { page } = await openScreen({ url });
    const email = page.getByLabel('E-mail');
    let shown = 'Sua agenda que vira dinheiro';
    const changesInPlace = async (phrase: string) => {
      // A change before the page's connection to Vite would not reach the page.
      const listens = page.waitForEvent('console', (line) => line.text().includes('[vite] connected'));
      await page.goto('/auth', { waitUntil: 'networkidle' });
      await listens;
      await page.getByText(shown).waitFor();
      await email.fill('rafaela@example.com');
      await change('frontend/src/features/accounts/auth-page.tsx', shown, phrase);
      shown = phrase;
      await page
        .getByText(phrase)
        .waitFor({ timeout: 60_000 })
        .catch(() => undefined);
      return (await page.getByText(phrase).count()) === 1 && (await email.inputValue()) !== '';
    };
    // When Vite discovers further packages while serving pages, it reloads the page, at any time: so try several times.
    let hasChanged = false;
    for (const phrase of ['Outra frase', 'Mais outra', 'Ainda outra'])
      hasChanged ||= await changesInPlace(phrase);
    expect(hasChanged).toBe(true);
  });
});

interface Contract {
  info: { description: string };
}
