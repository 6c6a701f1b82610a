import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMinutes, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { agendaOf } from '../agenda/trainer.js';
import { startApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { openSignedIn } from './trainer-screen.js';

/** Once the application is kept on this device, whole. */
const installed = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

/** Everything that this device has of the account, as text. */
const stored = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const read = (request) => new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
    const all = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await read(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const entries = database.transaction(store).objectStore(store);
        all.push([name, await read(entries.getAllKeys()), await read(entries.getAll())]);
      }
      database.close();
    }
    return JSON.stringify(all);
  })()`);

const markDone = (page: Page) => page.getByRole('button', { name: 'Marcar como feita: Ana Souza' });

describeWithChromium('the application without a network', () => {
  let folder: string;
  let trainer: Trainer;
  let phone: Screen;
  let ana: string;
  let session: string;
  let other: string;

  beforeAll(async () => {
    // A build of its own, which a new version can replace.
    folder = await mkdtemp(join(tmpdir(), 'rende-frontend-'));
    atEnd(() => rm(folder, { recursive: true }));
    await cp('dist/frontend', folder, { recursive: true });
    const app = await startApp({ frontend: folder });
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    ana = await student('Ana Souza');
    await student('Bruno Lima');
    const hour = startOfHour(new Date());
    const at = (inicio: Date) => ({
      inicio: inicio.toISOString(),
      fim: addMinutes(inicio, 30).toISOString(),
    });
    session = await book({ student_id: ana, ...at(hour), observacoes: 'Dor no joelho' });
    other = await book({ student_id: ana, ...at(addMinutes(hour, 30)) });
    phone = await openSignedIn(app, trainer, { installs: true });
  });

  it('can be installed', async () => {
    const { page } = phone;
    await installed(page);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    await session.detach();
    // The windows of this test forget everything, as private ones do.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  it('opens the agenda and the students, and says of when they are', async () => {
    const { page } = phone;
    await eventually(async () => (await stored(page)).includes('Bruno Lima'), true);
    await page.context().setOffline(true);
    await page.goto('/');
    await page.getByRole('heading', { name: /^Olá, / }).waitFor();
    await page.getByText(/^Sem internet\. Você vê os dados de hoje, /).waitFor();
    await page.goto('/agenda');
    await page
      .getByRole('button', { name: /Agendada.*Ana Souza/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('link', { name: 'Ana Souza' }).waitFor();
    await page.goto('/alunos');
    await page.getByText('2 alunos cadastrados').waitFor();
    await page.getByLabel('Buscar aluno').fill('lima');
    await page.getByText('1 resultado').waitFor();
    await page.getByRole('link', { name: 'Bruno Lima' }).waitFor();
    await page.goto('/financeiro');
    await page.getByText('Esta parte não está guardada neste aparelho.').first().waitFor();
  });

  it('keeps no phone, address or note of a student on the device', async () => {
    const { page } = phone;
    const device = await stored(page);
    expect(device).toContain('Ana Souza');
    expect(device).not.toContain('Dor no joelho');
    expect(device).not.toMatch(/5511\d{9}/);
  });

  it('marks sessions as done and shows that this is still to be sent, in every window', async () => {
    const { page } = phone;
    await page.goto('/');
    const second = await page.context().newPage();
    await second.goto('/');
    await markDone(page).first().click();
    await page.getByText('será enviada quando a conexão voltar').waitFor();
    await markDone(page).first().click();
    for (const window of [page, second]) {
      await window.getByText('2 alterações esperam para ser enviadas.').waitFor();
      await window.getByText('2 de 2 feitas').waitFor();
      expect(await window.getByText('a enviar').count()).toBe(2);
    }
  });

  it('sends each once when the network is back, and shows what is refused until it is undone', async () => {
    const { page } = phone;
    const sent: string[] = [];
    page.context().on('request', (request) => {
      if (request.url().endsWith('/complete')) sent.push(request.url().split('/').at(-2)!);
    });
    await agendaOf(trainer.api).remove(other);
    await page.context().setOffline(false);
    const refusal = page.getByRole('alert').filter({ hasText: 'não foi marcada como feita' });
    await refusal.getByText('Agendamento não encontrado').waitFor();
    await page.getByText('1 de 1 feitas').waitFor();
    expect((await agendaOf(trainer.api).get(session)).status).toBe('feita');
    expect(sent).toEqual([session, other]);
    await refusal.getByRole('button', { name: 'Desfazer' }).click();
    await refusal.waitFor({ state: 'detached' });
    expect(await page.getByText('a enviar').count()).toBe(0);
    phone.complaints.splice(0);
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
    expect(await page.getByLabel('Nome completo *').inputValue()).toBe('Ana Souza');
    expect(await page.getByText('Há uma versão nova do Rende.').count()).toBe(0);
    await page.getByRole('button', { name: 'Descartar' }).click();
    expect(await page.getByLabel('Nome completo *').inputValue()).toBe('');
    await page.reload();
    await page.getByLabel('Nome completo *').waitFor();
    expect(await page.getByText('você já tinha digitado').count()).toBe(0);
    expect(phone.complaints).toEqual([]);
  });

  it('leaves nothing of the account behind', async () => {
    const { page } = phone;
    await page.goto('/ajustes');
    await page.getByRole('button', { name: 'Sair' }).last().click();
    await page.getByText('Logout realizado com sucesso').waitFor();
    const device = await stored(page);
    for (const trace of ['Ana Souza', 'Bruno Lima', trainer.email]) expect(device).not.toContain(trace);
  });
});
