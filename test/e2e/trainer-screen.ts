import type { BrowserContext, Page, WebSocket } from 'playwright-core';
import { openScreen, type Screen } from '../support/browser.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { settle } from '../support/onboarding.js';
import type { Trainer } from '../support/people.js';
import { dropToasts } from '../support/toasts.js';
import { goWithin } from './pages.js';

type ScreenOptions = Parameters<typeof openScreen>[1];

/**
 * Waits until the server has accepted the next socket that the page opens; from then on the page gets a hint for every
 * change.
 */
export function nextSocketOf(page: Page): { joined: () => Promise<void> } {
  let isIn = false;
  page.on('websocket', (socket: WebSocket) => {
    socket.on('framereceived', ({ payload }) => {
      // Socket.IO's answer to a connection; the first frame belongs to Engine.IO below it.
      isIn ||= String(payload).startsWith('40');
    });
  });
  return { joined: () => eventually(() => Promise.resolve(isIn), true) };
}

/** Waits until everything that a trainer's client has written is projected. */
export const allRead = ({ api }: Trainer) => api.get(`/finance/years/${new Date().getFullYear()}`);

/** The trainer of each browser context. */
const owners = new WeakMap<BrowserContext, Trainer>();

/** Goes to an address without loading the application again, and without the toasts of the page before. */
export async function follow(page: Page, address: string): Promise<void> {
  await dropToasts(page);
  await goWithin(page, address);
}

/** Pages that get a hint for every change, until they are loaded anew. */
const live = new WeakSet<Page>();

/**
 * Goes to an address of the trainer's area after everything that her client has written is projected, and waits until the
 * page gets hints for every change. A page that already gets them is not loaded again.
 */
export async function goLive(page: Page, address: string): Promise<void> {
  const trainer = owners.get(page.context());
  if (trainer) await allRead(trainer);
  if (live.has(page) && !page.url().includes('/auth')) {
    await follow(page, address);
    return;
  }
  const socket = nextSocketOf(page);
  await page.goto(address);
  await socket.joined();
  live.add(page);
  page.once('domcontentloaded', () => void live.delete(page));
}

/**
 * Opens a window, still without a page, of a signed-in trainer who has done the onboarding; `goLive` loads its first page.
 * The auth session is stored as the auth client does it, without typing, which only the suites about sign-in need.
 */
export async function signedInWindow(
  app: { url: string },
  trainer: Trainer,
  options?: ScreenOptions,
): Promise<Screen> {
  await settle(trainer.api);
  const { email, password, address } = trainer;
  const { body } = await new Client(app.url).request('POST', '/auth/v1/token', {
    query: { grant_type: 'password' },
    body: { email, password },
    headers: { 'X-Forwarded-For': address },
  });
  const screen = await openScreen(app, { ...options, stored: { 'rende.auth': JSON.stringify(body) } });
  // The trainer's client must also wait until the page's writes are projected.
  screen.page.on('response', (response) => {
    const position = Number(response.headers()['rende-position']);
    if (position > (trainer.positions.get('') ?? 0)) trainer.positions.set('', position);
  });
  owners.set(screen.page.context(), trainer);
  return screen;
}

/** Opens a window of a signed-in trainer with her dashboard. */
export async function openSignedIn(...window: Parameters<typeof signedInWindow>): Promise<Screen> {
  const screen = await signedInWindow(...window);
  await goLive(screen.page, '/');
  await screen.page.getByRole('heading', { name: /^Olá/ }).waitFor();
  return screen;
}

/** Signs in a trainer by typing, and waits for her dashboard. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: /^Olá/ }).waitFor();
}
