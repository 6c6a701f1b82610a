import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TZDate } from '@date-fns/tz';
import { addHours, addMinutes, startOfDay, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { startApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { atEnd } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { chooseToday, more } from '../support/sheets.js';
import { allRead, follow, openSignedIn } from './trainer-screen.js';

/** Waits until the service worker has stored the whole application. */
const installed = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');

/** Everything that this device stores of the account, as text. */
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

/** Books Bruno today, at a free time. */
async function bookBruno(page: Page): Promise<{ inicio: string; fim: string }> {
  const noon = addHours(startOfDay(new TZDate(new Date(), 'America/Sao_Paulo')), 12);
  const inicio = addHours(noon, new Date() < noon ? 8 : -6);
  await follow(page, '/agenda?modo=dia&novo=agendamento');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: /Bruno Lima/ }).click();
  await chooseToday(sheet);
  await sheet.getByLabel('Horário de início').fill(inicio.getHours() === 20 ? '20:00' : '06:00');
  await sheet.getByLabel('Observações').fill('Trazer elástico');
  await sheet.getByRole('button', { name: 'Agendar' }).click();
  await page.getByText('Guardado neste aparelho').waitFor();
  return { inicio: new Date(inicio).toISOString(), fim: new Date(addHours(inicio, 1)).toISOString() };
}

const markDone = (page: Page) => page.getByRole('button', { name: 'Marcar como feita: Ana Souza' });

describeWithChromium('the application without a network', () => {
  let folder: string;
  let trainer: Trainer;
  let phone: Screen;
  let ana: string;
  let bruno: string;
  let session: string;
  let other: string;
  let planId: string;
  /** Ana's session beside that of Bruno. */
  let edited: string;

  beforeAll(async () => {
    // A copy of the build, in which the test can install a new version.
    folder = await mkdtemp(join(tmpdir(), 'rende-frontend-'));
    atEnd(() => rm(folder, { recursive: true }));
    await cp('dist/frontend', folder, { recursive: true });
    const app = await startApp({ frontend: folder });
    trainer = await signUp(app);
    const { student, book, plan } = agendaOf(trainer.api);
    ana = await student('Ana Souza');
    planId = await plan();
    bruno = await student('Bruno Lima', planId);
    const hour = startOfHour(new Date());
    const at = (inicio: Date) => ({
      inicio: inicio.toISOString(),
      fim: addMinutes(inicio, 30).toISOString(),
    });
    session = await book({ student_id: ana, ...at(hour), observacoes: 'Dor no joelho' });
    // At the same time, so that both have begun.
    other = await book({ student_id: ana, ...at(hour), permitir_conflito: true });
    phone = await openSignedIn(app, trainer, { installs: true });
  });

  const offline = (isCut: boolean) => phone.page.context().setOffline(isCut);

  /** Waits for the message that the edit is in the outbox, and for the mark beside the changed entry. */
  const isQueued = async () => {
    await phone.page.getByText('Guardado neste aparelho. Será enviado quando a internet voltar.').waitFor();
    await phone.page.getByText('ainda não enviado', { exact: true }).first().waitFor();
  };

  const isSent = async (sentence: string) => {
    await offline(false);
    await phone.page.getByText(sentence).waitFor();
    await eventually(() => phone.page.getByText('ainda não enviado', { exact: true }).count(), 0);
  };

  it('can be installed', async () => {
    const { page } = phone;
    await installed(page);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    await session.detach();
    // The test's windows are like private ones, which cannot install an application.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  it('does not send addresses with a token as Referer, as with the server', async () => {
    const { page } = phone;
    await installed(page);
    const other = await page.context().newPage();
    let status = 0;
    for (const [path, policy] of [
      ['/auth', 'strict-origin-when-cross-origin'],
      ...['aceitar', 'avisos', 'minha-area', 'pagar'].map((name) => [`/${name}/abc`, 'no-referrer']),
    ] as const) {
      const answer = await other.goto(path);
      expect([path, answer!.headers()['referrer-policy']]).toEqual([path, policy]);
      status = answer!.status();
    }
    // The last one is written by the server.
    await other.getByRole('heading', { name: 'Link inválido ou expirado' }).waitFor();
    expect(status).toBe(404);
    await other.close();
  });

  it('opens the agenda and the students, and shows how old the data is', async () => {
    const { page } = phone;
    // By then the dashboard and the week are in the offline cache.
    await markDone(page).first().waitFor();
    // A separate read stores all students, some time after the dashboard's.
    await eventually(async () => /students\\",\\"copy/.test(await stored(page)), true);
    await eventually(async () => (await stored(page)).includes('Bruno Lima'), true);
    await page.context().setOffline(true);
    await page.goto('/');
    await page.getByRole('heading', { name: /^Olá, / }).waitFor();
    await page.getByText(/^Sem internet\. Você vê os dados de hoje, /).waitFor();
    await follow(page, '/agenda');
    await page
      .getByRole('button', { name: /Agendada.*Ana Souza/ })
      .first()
      .click();
    await page
      .getByRole('dialog')
      .getByText(/^Ana Souza · /)
      .waitFor();
    await follow(page, '/alunos');
    await page.getByText('2 alunos cadastrados').waitFor();
    await page.getByLabel('Buscar aluno').fill('lima');
    await page.getByText('1 resultado').last().waitFor();
    await page.getByRole('link', { name: 'Bruno Lima' }).waitFor();
    await follow(page, '/financeiro');
    await page.getByText('Estes dados não estão guardados neste aparelho.').first().waitFor();
  });

  it('stores no phone, address or note of a student on the device', async () => {
    const { page } = phone;
    const device = await stored(page);
    expect(device).toContain('Ana Souza');
    expect(device).not.toContain('Dor no joelho');
    expect(device).not.toMatch(/5511\d{9}/);
  });

  it('completes sessions and shows in every window that this is not sent yet', async () => {
    const { page } = phone;
    await page.goto('/');
    const second = await page.context().newPage();
    await second.goto('/');
    // Chromium draws a window in the background only once a second.
    await page.bringToFront();
    await markDone(page).first().click();
    await page.getByText('Guardado neste aparelho').waitFor();
    // Now the first remaining button is that of the other session.
    await page.getByText('1 de 2 feitas').waitFor();
    await markDone(page).first().click();
    for (const window of [page, second]) {
      await window.getByText('2 alterações ainda não enviadas.').waitFor();
      await window.getByText('2 de 2 feitas').waitFor();
      await eventually(() => window.getByText('ainda não enviado').count(), 2);
    }
    await second.close();
  });

  it('books, cancels, renews and records, and marks each entry as not sent', async () => {
    const { page } = phone;
    await bookBruno(page);
    await page.getByRole('button', { name: /Agendada.*ainda não enviado.*Bruno Lima/ }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Cancelar' }).click();
    await sheet.getByText('será cancelada sem custo').waitFor();
    await sheet.getByRole('button', { name: 'Cancelar sessão' }).click();
    await page.getByRole('button', { name: /Cancelada.*ainda não enviado.*Bruno Lima/ }).waitFor();
    await follow(page, '/alunos');
    await page.getByRole('button', { name: 'Mais ações de Bruno Lima' }).click();
    await page.getByRole('menuitem', { name: 'Renovar' }).click();
    await page.getByRole('button', { name: 'Outra forma' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Só renovar' }).click();
    await page.getByText('+4, ainda não enviado').waitFor();
    await follow(page, '/financeiro?novo=lancamento');
    await page.getByLabel('Valor (R$)').fill('320');
    await page.getByLabel('Descrição').fill('Pacote Bruno');
    await page.getByRole('button', { name: 'Registrar receita' }).click();
    await page.getByText('Lançamentos ainda não enviados não entram').waitFor();
    await page.getByRole('button', { name: 'Ver', exact: true }).click();
    await page.getByText('O lançamento “Pacote Bruno”, R$ 320,00').waitFor();
    await page.goto('/');
  });

  it('sends each write once and in order when the network is back, and shows refused ones until they are discarded', async () => {
    const { page } = phone;
    const sent: string[] = [];
    page.context().on('request', (request) => {
      const path = /\/api\/v1(\/.*)/.exec(request.url())?.[1];
      if (request.method() === 'POST' && path) sent.push(path);
    });
    await agendaOf(trainer.api).remove(other);
    await page.context().setOffline(false);
    const refusal = page.getByRole('alert').filter({ hasText: 'não foi marcada como feita' });
    await refusal.getByText('Agendamento não encontrado').waitFor();
    await page
      .getByText('5 alterações enviadas: 3 em sessões, 1 em créditos e 1 em lançamentos.')
      .first()
      .waitFor();
    await page.getByText('1 de 1 feita').waitFor();
    await eventually(async () => (await agendaOf(trainer.api).get(session)).status, 'feita');
    const sessions = async () =>
      (await trainer.api.get<SessionPage>(`/sessions?student_id=${bruno}`)).body.items;
    await eventually(
      async () => (await sessions()).map(({ status, motivo }) => ({ status, motivo })),
      [{ status: 'cancelada', motivo: 'personal' }],
    );
    const [booked] = await sessions();
    await eventually(() => Promise.resolve(sent.at(-1)), '/transactions');
    // Both begin at the same time, so either may stand first on the page.
    expect(sent.slice(0, 2).toSorted()).toEqual(
      [session, other].map((id) => `/sessions/${id}/complete`).toSorted(),
    );
    expect(sent.slice(2)).toEqual([
      '/sessions',
      `/sessions/${booked!.id}/cancel`,
      `/students/${bruno}/credits/renew`,
      '/transactions',
    ]);
    await eventually(() => agendaOf(trainer.api).balance(bruno), 4);
    await refusal.getByRole('button', { name: 'Descartar' }).click();
    await refusal.waitFor({ state: 'detached' });
    await eventually(() => page.getByText('ainda não enviado').count(), 0);
    phone.complaints.splice(0);
  });

  it('shows which writes were sent, also those that were refused at first', async () => {
    const { page } = phone;
    await page.context().setOffline(true);
    const { inicio, fim } = await bookBruno(page);
    const { book, remove } = agendaOf(trainer.api);
    const anas = await book({ student_id: ana, inicio, fim });
    await page.context().setOffline(false);
    await page.getByText(/^A sessão de Bruno Lima, .* não foi agendada: /).waitFor();
    await page.getByRole('button', { name: 'Agendar mesmo assim' }).click();
    await page.getByText(/^A sessão de Bruno Lima, .* foi agendada\.$/).waitFor();
    const booked = page.getByRole('button', { name: /Agendada.*Bruno Lima/ });
    await booked.waitFor();
    const { items } = (await trainer.api.get<SessionPage>(`/sessions?student_id=${bruno}`)).body;
    await remove(anas);
    await remove(items.find(({ status }) => status === 'agendada')!.id);
    await booked.waitFor({ state: 'detached' });
    phone.complaints.splice(0);
  });

  it('lets a refused booking be edited again, with the typed values', async () => {
    const { page } = phone;
    await page.context().setOffline(true);
    const { inicio, fim } = await bookBruno(page);
    edited = await agendaOf(trainer.api).book({ student_id: ana, inicio, fim });
    await page.context().setOffline(false);
    await page.getByText(/^A sessão de Bruno Lima, .* não foi agendada: /).waitFor();
    await page.getByRole('button', { name: 'Editar' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Bruno Lima').waitFor();
    await eventually(() => sheet.getByLabel('Observações').inputValue(), 'Trazer elástico');
    await sheet.getByRole('button', { name: 'Agendar' }).click();
    await sheet.getByRole('button', { name: 'Agendar mesmo assim' }).click();
    await page.getByRole('button', { name: /Agendada.*Bruno Lima/ }).waitFor();
    await eventually(() => page.getByText('não foi agendada').count(), 0);
    phone.complaints.splice(0);
  });

  it("keeps the edits of a plan, shows them in place of the server's values, and sends them", async () => {
    const { page } = phone;
    await follow(page, '/planos');
    await page.getByRole('button', { name: 'Editar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Editar plano' });
    await sheet.getByLabel('Valor *').waitFor();
    await offline(true);
    await sheet.getByLabel('Valor *').fill('450,00');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await page.getByText('450,00').first().waitFor();
    expect((await trainer.api.get<{ valor: number }>(`/plans/${planId}`)).body.valor).not.toBe(45_000);
    await isSent('foi atualizado.');
    await eventually(
      async () => (await trainer.api.get<{ valor: number }>(`/plans/${planId}`)).body.valor,
      45_000,
    );
  });

  it('keeps those of a location and of its policy', async () => {
    const { page } = phone;
    await agendaOf(trainer.api).location();
    await allRead(trainer);
    await follow(page, '/locais');
    await page.getByRole('button', { name: 'Editar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Editar local' });
    await sheet.getByLabel('Nome *').waitFor();
    await offline(true);
    await sheet.getByLabel('Nome *').fill('Parque do Lago');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await isSent('O local Parque foi atualizado.');
    await page.getByText('Parque do Lago').waitFor();

    await follow(page, '/ajustes/politicas');
    await page.getByRole('button', { name: 'Editar política' }).click();
    const policy = page.getByRole('dialog', { name: 'Política · Parque do Lago' });
    await policy.getByLabel('Taxa (% da sessão)').waitFor();
    await offline(true);
    await policy.getByLabel('Taxa (% da sessão)').fill('50');
    await policy.getByRole('button', { name: 'Salvar política' }).click();
    await isQueued();
    await page.getByText('cobra 50% do valor da sessão').waitFor();
    await isSent('A política de Parque do Lago foi atualizada.');
  });

  it('keeps those of a session', async () => {
    const { page } = phone;
    await follow(page, '/agenda');
    await page
      .getByRole('button', { name: /Agendada.*Ana Souza/ })
      .first()
      .click();
    const sheet = page.getByRole('dialog');
    await more(sheet, 'Editar');
    await sheet.getByLabel('Observações').waitFor();
    await offline(true);
    await sheet.getByLabel('Observações').fill('Trazer elástico');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Guardado neste aparelho. Será enviado quando a internet voltar.').waitFor();
    await sheet.getByText('Trazer elástico').waitFor();
    await offline(false);
    await page.getByText(/^A sessão de Ana Souza.* foi atualizada\.$/).waitFor();
    await eventually(async () => (await agendaOf(trainer.api).get(edited)).observacoes, 'Trazer elástico');
  });

  it('returns those of a student to the form with the typed values if the server refuses them', async () => {
    const { page } = phone;
    await follow(page, `/alunos/edit/${ana}`);
    await page.getByLabel('Plano', { exact: true }).waitFor();
    await eventually(() => page.getByLabel('Plano', { exact: true }).getByRole('option').count(), 2);
    await offline(true);
    await page.getByLabel('Nome completo *').fill('Ana Beatriz');
    await page.getByLabel('Plano', { exact: true }).selectOption(planId);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await page.getByRole('heading', { name: 'Ana Beatriz' }).waitFor();
    await trainer.api.patch(`/plans/${planId}`, { is_active: false });
    await offline(false);
    const refusal = page.getByText('O aluno Ana Souza não foi atualizado: Plano inativo.');
    await refusal.waitFor();
    await page.getByRole('heading', { name: 'Ana Souza' }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Editar' }).click();
    await refusal.waitFor({ state: 'detached' });
    await page.getByText('Recuperamos o que você tinha digitado.').waitFor();
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), 'Ana Beatriz');
    await eventually(() => page.getByLabel('Plano', { exact: true }).inputValue(), planId);
    await trainer.api.patch(`/plans/${planId}`, { is_active: true });
    phone.complaints.splice(0);
  });

  it('offers a new version, and activates it only when the user agrees', async () => {
    const { page } = phone;
    await page.goto('/alunos/novo');
    await page.getByLabel('Nome completo *').fill('Ana Souza');
    await Promise.all(['br', 'gz'].map((end) => rm(join(folder, `sw.js.${end}`))));
    await appendFile(join(folder, 'sw.js'), '\n// The next version.\n');
    await page.evaluate('navigator.serviceWorker.getRegistration().then((worker) => worker.update())');
    await page.getByText('Há uma nova versão do Rende.').waitFor();
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), 'Ana Souza');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Recarregar' }).click()]);
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), 'Ana Souza');
    await eventually(() => page.getByText('Há uma nova versão do Rende.').count(), 0);
    await page.getByRole('button', { name: 'Descartar' }).click();
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), '');
    await page.reload();
    await page.getByLabel('Nome completo *').waitFor();
    expect(await page.getByText('Recuperamos o que você tinha digitado').count()).toBe(0);
    expect(phone.complaints).toEqual([]);
  });

  it('shows what would be lost before the sign-out, and then leaves no data of the account on the device', async () => {
    const { page } = phone;
    await follow(page, '/alunos');
    const more = page.getByRole('button', { name: 'Mais ações de Bruno Lima' });
    await more.waitFor();
    await page.context().setOffline(true);
    await more.click();
    await page.getByRole('menuitem', { name: 'Renovar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Só renovar' }).click();
    await page.getByText('+4, ainda não enviado').waitFor();
    await follow(page, '/ajustes');
    await page.getByRole('button', { name: 'Sair' }).last().click();
    await page.getByText('Há alterações ainda não enviadas').waitFor();
    await page.context().setOffline(false);
    await eventually(() => agendaOf(trainer.api).balance(bruno), 8);
    await page.getByText('1 alteração ainda não enviada').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sair' }).last().click();
    await page.getByText('Você saiu só neste aparelho').waitFor();
    await page.getByLabel('E-mail').waitFor();
    const traces = async () => {
      const device = await stored(page);
      return ['Ana Souza', 'Bruno Lima', trainer.email].filter((trace) => device.includes(trace));
    };
    await eventually(traces, []);
  });
});
