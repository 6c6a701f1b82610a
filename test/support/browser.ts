import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { atEnd } from './cleanup.js';
import { chromiumProgram } from './needs.js';
import { privatePort } from './ports.js';

/** A separate browser window: it shares no cookies or storage with others. */
export interface Screen {
  page: Page;
  /** Faults of the page: script errors, violations of the content security policy, failed requests. */
  complaints: string[];
}

interface ScreenOptions {
  width?: number;
  height?: number;
  /** Allows the service worker. */
  installs?: boolean;
  /** Initial content of localStorage. */
  stored?: Readonly<Record<string, string>>;
  /** Time zone of the device. */
  timezoneId?: string;
  /** False: the browser runs no scripts. */
  scripts?: boolean;
}

/** Time limit for the browser's start, and for each step in it. */
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
    // Two processes fewer to hand frames and answers over to.
    '--in-process-gpu',
    '--enable-features=NetworkServiceInProcess2',
    // Pages live for seconds: optimizing their code fully takes more processor than it saves.
    '--js-flags=--no-opt',
    // Text as on phones: by default, the headless shell would fit letters to whole pixels.
    '--font-render-hinting=none',
  ],
};

/** The browser of all test files of this worker. */
const worker = globalThis as { rendeBrowser?: Promise<Browser> };

/** Chromium has been seen to crash while it started, once in hundreds of times: then it is started again. */
const launch = () => chromium.launch(program).catch(() => chromium.launch(program));

/** A crashed one is replaced, so that only the tests that it was open for fail. */
function browser(): Promise<Browser> {
  const known = worker.rendeBrowser?.then((opened) => (opened.isConnected() ? opened : launch()), launch);
  return (worker.rendeBrowser = known ?? launch());
}

/** A separate Chromium with an empty profile, which other programs can also control, at `port`. */
export async function openProfile({ url }: { url: string }, args: readonly string[]) {
  const [folder, port] = await Promise.all([mkdtemp(join(tmpdir(), 'rende-profile-')), privatePort()]);
  const context = await chromium.launchPersistentContext(folder, {
    ...program,
    args: [...program.args, ...args, `--remote-debugging-port=${port}`],
    baseURL: url,
    locale: 'pt-BR',
    // For every page, also those of other programs: in another zone, the application would show a message about that.
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

/** Opens a window of the application at `url`; by default a phone. */
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
  atEnd(() => context.close());
  // For all pages of the context, also those that a test opens later.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) => {
    window.complain('content security policy: ' + violation.violatedDirective + ' ' + violation.blockedURI);
  })`);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    // Not a fault, because the page retries requests to a busy server.
    const isBusy = response.status() === 503 && 'retry-after' in response.headers();
    if (response.status() >= 400 && !isBusy) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, complaints };
}
