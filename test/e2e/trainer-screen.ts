import type { Page } from 'playwright-core';
import { openScreen, type Screen } from '../support/browser.js';
import { settle } from '../support/onboarding.js';
import type { Trainer } from '../support/people.js';

type ScreenOptions = Parameters<typeof openScreen>[1];

/** A window in which a trainer who has answered the first set-up has signed in, at her dashboard. */
export async function openSignedIn(
  app: { url: string },
  trainer: Trainer,
  options?: ScreenOptions,
): Promise<Screen> {
  await settle(trainer.api);
  const screen = await openScreen(app, options);
  await signIn(screen.page, trainer);
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
