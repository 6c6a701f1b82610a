import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { atEnd } from '../support/cleanup.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { openSignedIn } from './trainer-screen.js';

/** Once the application is kept on this device, whole. */
const kept = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

describeWithChromium('the application without a network', () => {
  let folder: string;
  let trainer: Trainer;
  let phone: Screen;

  beforeAll(async () => {
    // A build of its own, which a new version can replace.
    folder = await mkdtemp(join(tmpdir(), 'rende-frontend-'));
    atEnd(() => rm(folder, { recursive: true }));
    await cp('dist/frontend', folder, { recursive: true });
    const app = await startApp({ frontend: folder });
    trainer = await signUp(app);
    phone = await openSignedIn(app, trainer, { installs: true });
  });

  it('can be installed', async () => {
    const { page } = phone;
    await kept(page);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // The windows of this test forget everything, as private ones do.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  it('offers a new version, and changes to it only when the person says so', async () => {
    const { page } = phone;
    await page.goto('/alunos/novo');
    await page.getByLabel('Nome completo *').fill('Ana Souza');
    await Promise.all(['br', 'gz'].map((end) => rm(join(folder, `sw.js.${end}`))));
    await appendFile(join(folder, 'sw.js'), '\n// The next version.\n');
    await page.evaluate('navigator.serviceWorker.getRegistration().then((worker) => worker.update())');
    await page.getByText('Há uma versão nova do Rende.').waitFor();
    expect(await page.getByLabel('Nome completo *').inputValue()).toBe('Ana Souza');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Recarregar' }).click()]);
    await page.getByLabel('Nome completo *').waitFor();
    expect(await page.getByText('Há uma versão nova do Rende.').count()).toBe(0);
    expect(phone.complaints).toEqual([]);
  });
});
