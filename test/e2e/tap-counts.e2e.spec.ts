import { TZDate } from '@date-fns/tz';
import { addDays, addHours, format, startOfHour, subDays, subHours } from 'date-fns';
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { agendaOf } from '../agenda/trainer.js';
import type { Screen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo } from '../support/toasts.js';
import { goLive, openSignedIn } from './trainer-screen.js';

const hourInSaoPaulo = new TZDate(new Date(), 'America/Sao_Paulo').getHours();
/** Where it is neither late in the evening, so that today still has free hours, nor the first hour of the day, which has none before it. */
const ZONE =
  hourInSaoPaulo === 0 ? 'America/Noronha' : hourInSaoPaulo < 20 ? 'America/Sao_Paulo' : 'America/Rio_Branco';

/** How many taps frequent work takes from the dashboard of a phone; typing is not counted. */
describeWithChromium('from the dashboard', () => {
  let trainer: Trainer;
  let screen: Screen;
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.first().click();
  };
  const button = (name: string | RegExp, within: Locator | undefined = undefined) =>
    (within ?? screen.page).getByRole('button', { name });
  const row = (name: RegExp) => screen.page.getByRole('main').getByRole('link', { name });
  const says = (text: string) => screen.page.getByText(text, { exact: true }).first().waitFor();
  /** Follows none of the links to WhatsApp, which would leave the page. */
  const tell = async (name: string) => {
    const link = screen.page.getByRole('link', { name });
    await link.first().waitFor();
    expect(await link.first().getAttribute('href')).toContain('https://wa.me/');
    taps += 1;
  };
  const begin = async () => {
    await goLive(screen.page, '/');
    await screen.page.getByRole('region', { name: 'Agenda de hoje' }).waitFor();
    taps = 0;
  };

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { api } = trainer;
    await api.put('/settings/timezone', { fuso_horario: ZONE });
    // Today has free hours on every day of the week.
    const horarios = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '00:00',
      end_time: '23:59',
      is_blocked: false,
    }));
    await api.put('/availability', { horarios });
    await api.put('/settings/receipts', {
      nome: 'Rita Prado',
      documento: '529.982.247-25',
      cref: null,
      cidade: 'São Paulo',
    });
    const agenda = agendaOf(api);
    const plan = await agenda.plan({ nome: 'Pacote 4', valor: 32_000, creditos: 4 });
    const place = await agenda.location();
    const now = startOfHour(new Date());
    const hour = (from: Date) => ({
      inicio: from.toISOString(),
      fim: addHours(from, 1).toISOString(),
      location_id: place,
    });
    const [ana, bia, caio, davi] = await Promise.all(
      ['Ana Souza', 'Bia Lima', 'Caio Reis', 'Davi Melo'].map((nome) => agenda.student(nome, plan)),
    );
    for (const id of [ana, bia, caio]) await agenda.renew(id!);
    await agenda.book({ student_id: ana, ...hour(now) });
    await agenda.book({ student_id: bia, ...hour(subHours(now, 1)) });
    await agenda.book({ student_id: caio, ...hour(addDays(now, 1)) });
    await agenda.book({ student_id: ana, ...hour(addDays(now, 2)) });
    await agenda.student('Eva Nunes', plan);
    // Without credits: two sessions to charge.
    for (const days of [2, 3])
      await agenda.complete(await agenda.book({ student_id: davi, ...hour(subDays(now, days)) }));
    for (const descricao of ['Avaliação', 'Treino extra', 'Planilha'])
      await api.post('/charges', {
        student_id: bia,
        descricao,
        valor: 8_000,
        vencimento: format(subDays(now, 3), 'yyyy-MM-dd'),
      });
    screen = await openSignedIn(app, trainer, { timezoneId: ZONE });
  });

  afterEach(() => expect(screen.complaints).toEqual([]));

  it('a session is done in one tap', async () => {
    await begin();
    await tap(button('Marcar como feita: Ana Souza'));
    await says('Sessão marcada como feita');
    expect(taps).toBe(1);
  });

  it('a no-show is marked in three', async () => {
    await begin();
    await tap(row(/Bia Lima/));
    await tap(button('Faltou'));
    await tap(button('Marcar falta'));
    await says('Falta marcada');
    expect(taps).toBe(3);
  });

  it('a session is cancelled in three', async () => {
    await begin();
    await tap(row(/Caio Reis/));
    await tap(button('Cancelar'));
    await tap(button('Cancelar sessão'));
    await says('Sessão cancelada');
    expect(taps).toBe(3);
  });

  it('a session is moved, and the student told, in four', async () => {
    await begin();
    await tap(row(/Ana Souza/));
    await tap(button('Remarcar'));
    // A free hour of today, other than the session's own.
    const [start, end] =
      new TZDate(new Date(), ZONE).getHours() < 12 ? ['20:00', '21:00'] : ['05:00', '06:00'];
    await screen.page.getByLabel('Horário de início').fill(start);
    await screen.page.getByLabel('Horário de término').fill(end);
    await tap(button('Remarcar'));
    await tell('Avisar Ana');
    expect(taps).toBe(4);
  });

  it("the payment of an open charge is recorded in two, its receipt issued in two more with the payer's CPF, which is typed once", async () => {
    await begin();
    await holdToasts(screen.page);
    await tap(screen.page.getByRole('link', { name: /vencidos/ }));
    await tap(button(/Marcar como paga: Bia Lima/));
    await says('Cobrança paga');
    expect(taps).toBe(2);
    await tap(screen.page.getByRole('link', { name: 'Emitir recibo' }));
    const sheet = screen.page.getByRole('dialog');
    await sheet.getByLabel('CPF ou CNPJ de quem pagou').fill('111.444.777-35');
    expect(await sheet.getByRole('textbox').count()).toBe(1);
    await tap(button('Emitir recibo', sheet));
    await says('Recibo nº 1 emitido');
    expect(taps).toBe(4);
  });

  it('the next receipt of a payer is issued in three with its payment, and can be sent', async () => {
    await begin();
    await holdToasts(screen.page);
    await tap(screen.page.getByRole('link', { name: /vencidos/ }));
    await tap(button(/Marcar como paga: Bia Lima/));
    await tap(screen.page.getByRole('link', { name: 'Emitir recibo' }));
    await says('Recibo nº 2 emitido');
    expect(taps).toBe(3);
    await tell('Enviar');
    await letToastsGo(screen.page);
  });

  it('the receipt of a charge that is in view is issued and sent in two', async () => {
    await begin();
    await screen.page.getByRole('link', { name: /vencidos/ }).click();
    await row(/Bia Lima/).click();
    const sheet = screen.page.getByRole('dialog');
    await button('Marcar como paga', sheet).click();
    await tap(button('Emitir recibo', sheet));
    await tell('Enviar pelo WhatsApp');
    expect(taps).toBe(2);
  });

  it('what a student owes is charged and sent in three', async () => {
    await begin();
    await holdToasts(screen.page);
    await tap(button('2 a cobrar'));
    await tap(button(/^Cobrar R\$.* \(2 sessões\)$/));
    await says('2 cobranças criadas');
    await tell('Enviar');
    expect(taps).toBe(3);
    await letToastsGo(screen.page);
  });

  it('credits are renewed with their money in three', async () => {
    await begin();
    await tap(button(/sem crédito$/));
    await tap(button('Renovar plano de Eva Nunes'));
    await tap(button('Registrar e renovar'));
    await says('Plano renovado');
    expect(taps).toBe(3);
  });

  it('an expense is recorded in three', async () => {
    await begin();
    await tap(button('Ações rápidas'));
    await tap(screen.page.getByRole('navigation', { name: 'Ações rápidas' }).getByText('Despesa'));
    const sheet = screen.page.getByRole('dialog', { name: 'Receita ou Despesa?' });
    await sheet.getByLabel('Valor (R$)').fill('70,00');
    await sheet.getByLabel('Descrição').fill('Sala');
    await tap(button('Registrar despesa'));
    await says('Transação criada');
    expect(taps).toBe(3);
  });

  it('a conversation with a student is opened in two', async () => {
    await begin();
    await tap(button('Buscar'));
    const sheet = screen.page.getByRole('dialog', { name: 'Buscar' });
    await sheet.getByRole('combobox').fill('ana');
    await screen.page.context().route('https://wa.me/**', (route) => route.fulfill({ body: '' }));
    const opened = screen.page.context().waitForEvent('page');
    await tap(sheet.getByRole('option', { name: 'WhatsApp de Ana Souza' }));
    const page = await opened;
    await page.waitForURL('https://wa.me/5511943214321');
    await page.close();
    expect(taps).toBe(2);
  });

  it('a session is booked into a gap of today, with its place, in three', async () => {
    await begin();
    await tap(row(/Livre até/));
    const sheet = screen.page.getByRole('dialog', { name: 'Novo agendamento' });
    await tap(sheet.getByText('Ana Souza'));
    await tap(button('Agendar', sheet));
    await says('Agendamento criado com sucesso!');
    expect(taps).toBe(3);
    const { items } = (await trainer.api.get<SessionPage>('/sessions')).body;
    expect(items.filter(({ location_nome }) => location_nome !== 'Parque')).toEqual([]);
  });

  it('a weekly slot is booked in six', async () => {
    await begin();
    await tap(button('Ações rápidas'));
    await tap(screen.page.getByRole('navigation', { name: 'Ações rápidas' }).getByText('Agendamento'));
    const sheet = screen.page.getByRole('dialog', { name: 'Novo agendamento' });
    await tap(sheet.getByText('Caio Reis'));
    await sheet.getByLabel('Data', { exact: true }).fill('07/01/2030');
    await sheet.getByLabel('Horário de início').fill('15:00');
    await tap(button('Toda semana', sheet));
    await tap(button('Ver sessões', sheet));
    await tap(button(/^Agendar \d+ sessões$/, sheet));
    await says('Horário fixo agendado');
    expect(taps).toBe(6);
  });
});
