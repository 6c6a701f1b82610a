import { TZDate } from '@date-fns/tz';
import { addHours, format, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { agendaOf } from '../agenda/trainer.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { dropToasts, holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { goLive, openSignedIn } from './trainer-screen.js';

/** Holds back the next request to an address. Returns the function that lets it continue. */
async function hold(page: Page, address: string) {
  let keep = (_route: Route) => {};
  const held = new Promise<Route>((resolve) => (keep = resolve));
  await page.route(address, (route) => keep(route), { times: 1 });
  return async (changes: { postData?: string } = {}) => (await held).continue(changes);
}

describeWithChromium('a tap', () => {
  let trainer: Trainer;
  let screen: Screen;
  let ana: string;
  let session: string;

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { plan, student, book } = agendaOf(trainer.api);
    ana = await student('Ana Souza', await plan());
    const inicio = startOfHour(new Date());
    session = await book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 1).toISOString(),
    });
    screen = await openSignedIn(app, trainer);
  });

  it('that renews is shown before the server has answered', async () => {
    const { page } = screen;
    const chip = page.getByRole('button', { name: '1 sem crédito' });
    await chip.click();
    const low = page.getByRole('dialog', { name: 'Créditos acabando' });
    const letGo = await hold(page, '**/credits/renew');
    await low.getByRole('button', { name: 'Renovar plano de Ana Souza' }).click();
    await page.getByRole('button', { name: 'Outra forma' }).click();
    await page.getByRole('button', { name: 'Só renovar' }).click();
    await low.getByText('+4', { exact: true }).waitFor();
    expect(await agendaOf(trainer.api).balance(ana)).toBe(0);
    await letGo();
    await low.getByText('Ninguém para renovar').waitFor();
    await low.getByRole('button', { name: 'Fechar' }).click();
    await low.waitFor({ state: 'detached' });
    expect(await chip.count()).toBe(0);
    await eventually(() => agendaOf(trainer.api).balance(ana), 4);
  });

  it('that completes a session is shown before the answer, and stays afterwards', async () => {
    const { page } = screen;
    const today = page.getByRole('region', { name: 'Agenda de hoje' });
    const letGo = await hold(page, '**/complete');
    // Keep the toast: the next test presses its undo button.
    await holdToasts(page);
    await page.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).click();
    await today.getByText('1 de 1 feita').waitFor();
    expect(await today.getByText('ainda não enviado').count()).toBe(0);
    expect((await agendaOf(trainer.api).get(session)).status).toBe('agendada');
    await page.evaluate(`{
      window.seen = [];
      const region = document.querySelector('[aria-label="Agenda de hoje"]');
      new MutationObserver(() => window.seen.push(region.innerText.includes('1 de 1 feita')))
        .observe(region, { subtree: true, childList: true, characterData: true });
    }`);
    await letGo();
    await page.getByText('Descontou 1 crédito.').waitFor();
    await page.getByRole('region', { name: 'A seguir' }).waitFor({ state: 'detached' });
    // This client's reads do not wait until the page's command is projected.
    await eventually(async () => (await agendaOf(trainer.api).get(session)).status, 'feita');
    // The change stayed visible the whole time, from the tap to the server's answer.
    expect(await page.evaluate('window.seen')).not.toContain(false);
    expect(screen.complaints).toEqual([]);
  });

  it('that the server refuses is reverted, and the reason is shown', async () => {
    const { page } = screen;
    await undo(page, 'Sessão marcada como feita');
    await letToastsGo(page);
    const today = page.getByRole('region', { name: 'Agenda de hoje' });
    await today.getByText('0 de 1 feita').waitFor();
    const letGo = await hold(page, '**/complete');
    await page.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).click();
    await today.getByText('1 de 1 feita').waitFor();
    // The server refuses an unknown field.
    await letGo({ postData: '{"desconhecido":true}' });
    await page.getByText('Erro ao atualizar agendamento').waitFor();
    await today.getByText('0 de 1 feita').waitFor();
    await eventually(async () => (await agendaOf(trainer.api).get(session)).status, 'agendada');
    screen.complaints.splice(0);
  });

  it('that cancels is shown in its sheet before the answer, and a refusal opens the form again with the typed values', async () => {
    const { page } = screen;
    const { book, get } = agendaOf(trainer.api);
    const inicio = addHours(startOfHour(new Date()), 3);
    const later = await book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 1).toISOString(),
    });
    // Late in the evening, the session is tomorrow.
    const day = format(new TZDate(inicio, 'America/Sao_Paulo'), 'yyyy-MM-dd');
    await goLive(page, `/agenda?dia=${day}&sessao=${later}`);
    const sheet = page.getByRole('dialog');
    const cancelSession = () => sheet.getByRole('button', { name: 'Cancelar sessão' }).click();
    await sheet.getByRole('button', { name: 'Cancelar', exact: true }).click();
    await sheet.getByLabel('O aluno avisou fora do prazo').check();

    const letRefused = await hold(page, '**/cancel');
    await cancelSession();
    await sheet.getByText('Cancelada').waitFor();
    expect((await get(later)).status).toBe('agendada');
    await letRefused({ postData: '{"desconhecido":true}' });
    await page.getByText('Erro ao cancelar a sessão').waitFor();
    await sheet.getByRole('button', { name: 'Cancelar sessão' }).waitFor();
    await page
      .getByRole('button', { name: /Agendada.*Ana Souza/ })
      .first()
      .waitFor({ state: 'attached' });
    expect(await sheet.getByLabel('O aluno avisou fora do prazo').isChecked()).toBe(true);
    await dropToasts(page);
    // An answer may be faster than the page renders the way out of the form.
    await page.route('**/cancel', (route) => route.fulfill({ status: 422 }), { times: 1 });
    await cancelSession();
    await page.getByText('Erro ao cancelar a sessão').waitFor();
    await sheet.getByRole('button', { name: 'Cancelar sessão' }).waitFor();
    screen.complaints.splice(0);

    const letGo = await hold(page, '**/cancel');
    await cancelSession();
    await sheet.getByText('Cancelada').waitFor();
    await letGo();
    await sheet.getByText('Sessão cancelada', { exact: true }).waitFor();
    // The student should know, and one tap opens the message.
    const tell = sheet.getByRole('link', { name: 'Avisar Ana' });
    expect(decodeURIComponent((await tell.getAttribute('href'))!)).toMatch(
      /Oi, Ana! A aula de .* foi cancelada\./,
    );
    await eventually(async () => (await get(later)).status, 'cancelada');
    expect(screen.complaints).toEqual([]);
  });

  it('that cancels does not open the sheet again if it is refused after the user has left the page', async () => {
    const { page } = screen;
    const { book } = agendaOf(trainer.api);
    const inicio = addHours(startOfHour(new Date()), 5);
    const later = await book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 1).toISOString(),
    });
    await goLive(page, `/agenda?sessao=${later}`);
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Cancelar', exact: true }).click();
    const letRefused = await hold(page, '**/cancel');
    await sheet.getByRole('button', { name: 'Cancelar sessão' }).click();
    await sheet.getByRole('button', { name: 'Fechar' }).click();
    await page.getByRole('link', { name: 'Alunos' }).first().click();
    await page.getByRole('heading', { name: 'Alunos', level: 1 }).waitFor();
    await letRefused({ postData: '{"desconhecido":true}' });
    await page.getByText('Erro ao cancelar a sessão').waitFor();
    expect(new URL(page.url()).pathname).toBe('/alunos');
    await eventually(() => sheet.count(), 0);
    screen.complaints.splice(0);
  });
});
