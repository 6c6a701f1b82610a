import type { BrowserContext, Page, WebSocket } from 'playwright-core';
import { openScreen, type Screen } from '../support/browser.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { settle } from '../support/onboarding.js';
import type { Trainer } from '../support/people.js';

type ScreenOptions = Parameters<typeof openScreen>[1];

/**
 * Waits until the server has let a socket of the page in that it opens from now on: from then on the page hears of every
 * change.
 */
export function nextSocketOf(page: Page): { joined: () => Promise<void> } {
  let isIn = false;
  page.on('websocket', (socket: WebSocket) => {
    socket.on('framereceived', ({ payload }) => {
      // The answer of socket.io to who connects; the first frame is that of the connection below.
      isIn ||= String(payload).startsWith('40');
    });
  });
  return { joined: () => eventually(() => Promise.resolve(isIn), true) };
}

/** Waits until all that a trainer's client has written is in every read table. */
export const allRead = ({ api }: Trainer) => api.get(`/finance/years/${new Date().getFullYear()}`);

/** Whose windows these are. */
const owners = new WeakMap<BrowserContext, Trainer>();

/**
 * Goes to an address of the trainer's area, where the page reads all that her client has written, and waits until it hears
 * of every change.
 */
export async function goLive(page: Page, address: string): Promise<void> {
  const trainer = owners.get(page.context());
  if (trainer) await allRead(trainer);
  const socket = nextSocketOf(page);
  await page.goto(address);
  await socket.joined();
}

/**
 * A window in which a trainer who has answered the first set-up is signed in, at her dashboard. It has the session from
 * the service as the auth client keeps it: typing is for suites about the sign-in.
 */
export async function openSignedIn(
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
  // What the page has written is there when the trainer's own client reads.
  screen.page.on('response', (response) => {
    const position = Number(response.headers()['rende-position']);
    if (position > (trainer.positions.get('') ?? 0)) trainer.positions.set('', position);
  });
  owners.set(screen.page.context(), trainer);
  await goLive(screen.page, '/');
  await screen.page.getByRole('heading', { name: /^Olá/ }).waitFor();
  return screen;
}

/** Types what a trainer signs in with, until her dashboard is there. */
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
