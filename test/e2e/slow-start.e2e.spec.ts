import { beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { openSignedIn } from './trainer-screen.js';

describeWithChromium('a slow start', () => {
  let app: TestApp;
  let screen: Screen;

  beforeAll(async () => {
    app = await startApp();
    screen = await openSignedIn(app, await signUp(app));
  });

  it('shows the shell and the shape of the page, first from the document and then while the user is loaded', async () => {
    const { page } = screen;
    let letRun = () => {};
    let answer = () => {};
    const code = new Promise<void>((resolve) => (letRun = resolve));
    const person = new Promise<void>((resolve) => (answer = resolve));
    // Delete the stored user, who would otherwise be shown at once.
    await page.goto('/icon.svg');
    await page.evaluate(
      'indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name)))',
    );
    await page.route('**/assets/*.js', async (route) => {
      await code;
      await route.continue();
    });
    await page.route('**/api/v1/me', async (route) => {
      await person;
      await route.continue();
    });
    await page.goto('/alunos', { waitUntil: 'commit' });

    const shell = page.locator('.boot-shell');
    const tabs = () => page.locator('.boot-bar').getByText('Agenda', { exact: true });
    await tabs().waitFor();
    expect(await shell.locator('.boot-page > i').count()).toBe(5);
    // The text is there for screen readers only.
    const words = page.getByRole('status').getByText('Carregando...');
    expect((await words.boundingBox())!.width).toBe(1);
    expect(await page.evaluate("document.querySelector('.boot').hasAttribute('data-shell')")).toBe(false);

    letRun();
    await page.locator('.boot[data-shell]').waitFor();
    await tabs().waitFor();
    expect((await words.boundingBox())!.width).toBe(1);

    answer();
    await page.getByRole('heading', { name: 'Alunos' }).waitFor();
    expect(await shell.count()).toBe(0);
  });

  it('has the same labels as the navigation that replaces it', async () => {
    const { page } = screen;
    const before = /<div class="boot-bar">([\s\S]*?)<\/div>/.exec(
      await (await page.request.get('/')).text(),
    )![1]!;
    const named = [...before.matchAll(/<span>([^<]*)</g)].map(([, name]) => name);
    expect(named).toEqual(
      await page.getByRole('navigation', { name: 'Principal' }).getByRole('link').allTextContents(),
    );
  });

  it.each([
    ['/aluno', '**/api/v1/me'],
    ['/avisos/abc', '**/api/v1/letter-links/**'],
  ])('shows the shape of one column for %s, and text alone nowhere', async (path, asked) => {
    const { page } = screen;
    let letRun = () => {};
    const code = new Promise<void>((resolve) => (letRun = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await code;
      await route.continue();
    });
    let isAsked = false;
    await page.route(asked, () => void (isAsked = true));
    await page.goto('/icon.svg');
    await page.evaluate(
      'indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name)))',
    );
    await page.goto(path, { waitUntil: 'commit' });
    const words = page.getByRole('status').getByText('Carregando...');

    await page.locator('.boot-page > i').first().waitFor();
    expect(await page.locator('.boot-bar').isVisible()).toBe(false);
    expect((await words.boundingBox())!.width).toBe(1);

    letRun();
    await eventually(() => Promise.resolve(isAsked), true);
    // Now the application draws the shape, no longer the document.
    await page.locator('[role=status][aria-busy] :is(.boot-page, div[aria-hidden]) i').first().waitFor();
    expect((await words.boundingBox())!.width).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
