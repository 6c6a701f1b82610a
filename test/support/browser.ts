import { type Browser, chromium, type Page } from 'playwright-core';
import { atEnd } from './cleanup.js';
import { chromiumProgram } from './needs.js';

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
}

let running: Promise<Browser> | undefined;

function browser(): Promise<Browser> {
  running ??= chromium
    .launch({
      executablePath: chromiumProgram,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    .then((launched) => {
      atEnd(() => {
        running = undefined;
        return launched.close();
      });
      return launched;
    });
  return running;
}

/** Opens a window on the application at `url`: a phone unless told. */
export async function openScreen(
  { url }: { url: string },
  { width = 390, height = 844, installs = false }: ScreenOptions = {},
): Promise<Screen> {
  const context = await (
    await browser()
  ).newContext({
    baseURL: url,
    viewport: { width, height },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
    serviceWorkers: installs ? 'allow' : 'block',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  await page.exposeFunction('complain', (text: string) => complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) => {
    window.complain('content security policy: ' + violation.violatedDirective + ' ' + violation.blockedURI);
  })`);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return { page, complaints };
}
