import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { atEnd } from './cleanup.js';
import { chromiumProgram } from './needs.js';
import { privatePort } from './ports.js';

/** A window of a person of their own: no cookies or storage shared with another one. */
export interface Screen {
  page: Page;
  /** What the page should not have: script errors, refusals of the content security policy, failed requests. */
  complaints: string[];
}

interface ScreenOptions {
  width?: number;
  height?: number;
  /** Lets the application keep itself on the device. */
  installs?: boolean;
  /** What the browser's storage holds from before. */
  stored?: Readonly<Record<string, string>>;
  /** Of the device. */
  timezoneId?: string;
  /** False: the browser runs none. */
  scripts?: boolean;
}

/** For the browser to begin, and for each step in it. */
const PATIENCE_MS = 120_000;

const program = {
  executablePath: chromiumProgram,
  timeout: PATIENCE_MS,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // As phones draw text: the headless shell would fit letters to whole pixels.
    '--font-render-hinting=none',
  ],
};

let running: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  running ??= chromium.launch(program).then((launched) => {
    atEnd(() => {
      running = undefined;
      return launched.close();
    });
    return launched;
  });
  return running;
}

/** A Chromium of its own in which nothing has been opened yet, steered by others too, at that port. */
export async function openProfile({ url }: { url: string }, args: readonly string[]) {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'rende-profile-')), privatePort()]);
  const context = await chromium.launchPersistentContext(folder, {
    ...program,
    args: [...program.args, ...args, `--remote-debugging-port=${port}`],
    baseURL: url,
    locale: 'pt-BR',
    // Of every page, those of other programs too: elsewhere the application says that the device is in another zone.
    env: { ...process.env, TZ: 'America/Sao_Paulo' },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const close = async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  };
  atEnd(close);
  return { page: context.pages()[0]!, port, close };
}

/** Opens a window on the application at `url`: a phone unless told. */
export async function openScreen(
  { url }: { url: string },
  {
    width = 390,
    height = 844,
    installs = false,
    stored = {},
    timezoneId = 'America/Sao_Paulo',
    scripts = true,
  }: ScreenOptions = {},
): Promise<Screen> {
  const context = await (
    await browser()
  ).newContext({
    baseURL: url,
    viewport: { width, height },
    locale: 'pt-BR',
    timezoneId,
    reducedMotion: 'reduce',
    javaScriptEnabled: scripts,
    serviceWorkers: installs ? 'allow' : 'block',
    storageState: {
      cookies: [],
      origins: [
        {
          origin: new URL(url).origin,
          localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })),
        },
      ],
    },
  });
  // Of all its windows, those too that a test opens later.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) => {
    window.complain('content security policy: ' + violation.violatedDirective + ' ' + violation.blockedURI);
  })`);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    // The page asks a busy server again by itself.
    const isBusy = response.status() === 503 && 'retry-after' in response.headers();
    if (response.status() >= 400 && !isBusy) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, complaints };
}
