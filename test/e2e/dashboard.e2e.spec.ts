import { addHours, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import { agendaOf } from '../agenda/trainer.js';
import type { TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { goLive, openSignedIn } from './trainer-screen.js';

describeWithChromium('the dashboard', () => {
  let trainer: Trainer;
  let screen: Screen;
  let ana: string;
  let app: TestApp;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const { plan, student, book } = agendaOf(trainer.api);
    ana = await student('Ana Souza', await plan());
    // The current hour, so that the session is of today at any time of the day.
    const inicio = startOfHour(new Date());
    await book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 2).toISOString(),
    });
    screen = await openSignedIn(app, trainer);
  });

  it('begins with the current session and with what waits, each chip opening its list', async () => {
    const { page } = screen;
    const next = page.getByRole('region', { name: 'A seguir' });
    await next.getByText(/^Sem local · agora, até \d+:00$/).waitFor();
    await next.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).waitFor();
    const bia = await agendaOf(trainer.api).student('Bia Lima');
    const inicio = new Date(Date.now() - 40 * 86_400_000);
    const fim = addHours(inicio, 1);
    const { book, complete } = agendaOf(trainer.api);
    await complete(await book({ student_id: bia, inicio: inicio.toISOString(), fim: fim.toISOString() }));
    const waiting = page.getByRole('group', { name: 'Pendências' });
    await waiting.getByRole('button', { name: '1 a cobrar' }).click();
    const toCharge = page.getByRole('dialog', { name: 'Sessões a cobrar' });
    await toCharge.getByText('Bia Lima').waitFor();
    await toCharge.getByRole('button', { name: 'Fechar' }).click();
    await toCharge.waitFor({ state: 'detached' });
    // The sheet of a session leads to the list.
    await goLive(page, '/?ver=a-cobrar');
    await toCharge.getByText('Bia Lima').waitFor();
    await toCharge.getByRole('button', { name: 'Fechar' }).click();
    await toCharge.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await trainer.api.post('/charges', {
      student_id: bia,
      valor: 9_000,
      descricao: 'Avulsa',
      vencimento: '2030-01-10',
    });
    const order = () => page.locator('main h2').allTextContents();
    await eventually(
      async () => (await order()).slice(0, 3),
      ['A seguir', 'Primeiros passos', 'Agenda de hoje'],
    );
    await waiting.getByRole('link', { name: 'R$ 90,00 a receber' }).click();
    await page.getByRole('heading', { name: 'Cobranças', level: 1 }).waitFor();
    await page.getByText('Bia Lima').first().waitFor();
    await goLive(page, '/');
  });

  it('shows what is now and what waits on the first screen of a phone', async () => {
    const { page } = screen;
    const done = page.getByRole('button', { name: 'Marcar como feita: Ana Souza' });
    const { y, height } = (await done.boundingBox())!;
    const waiting = (await page.getByRole('group', { name: 'Pendências' }).boundingBox())!;
    expect(y + height).toBeLessThan(waiting.y);
    expect(waiting.y + waiting.height).toBeLessThan(844 - 64);
    // The session's action is offered once, although the timeline has it too.
    await page.getByRole('region', { name: 'Agenda de hoje' }).getByText('Ana Souza').waitFor();
    expect(await done.count()).toBe(1);
  });

  it('shows payments from elsewhere without a reload', async () => {
    const { page, complaints } = screen;
    const money = page.getByRole('region', { name: /^Financeiro de/ });
    await money.getByText('0% da meta').waitFor();
    await trainer.api.post('/transactions', {
      tipo: 'receita',
      descricao: 'Mensalidade',
      valor: 250_000,
      metodo_pagamento: 'pix',
      data: dayOf(),
    });
    await money.getByText('25% da meta').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the rest if one of its reads fails', async () => {
    const { page } = screen;
    await page.route('**/api/v1/sessions/to-charge?*', (route) => route.fulfill({ status: 422, json: {} }));
    await page.reload();
    await page.getByText('Parte desta tela não carregou.').waitFor();
    await page.getByRole('button', { name: 'Tentar de novo' }).waitFor();
    const today = page.getByRole('region', { name: 'Agenda de hoje' });
    await today.evaluate((shown: { setAttribute(name: string, value: string): void }) =>
      shown.setAttribute('data-kept', ''),
    );
    expect(await page.locator('[data-kept]').count()).toBe(1);
    const told = page.waitForResponse('**/api/v1/dashboard');
    await agendaOf(trainer.api).student('Caio Dias');
    await told;
    expect(await page.locator('[data-kept]').count()).toBe(1);
  });

  it('shows the first steps of a new account instead of empty lists, and ticks each when it is done', async () => {
    const newcomer = await signUp(app);
    const { page } = await openSignedIn(app, newcomer);
    const steps = page.getByRole('region', { name: 'Primeiros passos' });
    await steps.getByText('0 de 4 feitos').waitFor();
    for (const empty of ['Nenhuma sessão agendada', 'Ninguém para renovar', 'a cobrar', 'Hoje', 'recebido'])
      expect(await page.getByText(empty).count()).toBe(0);
    const { plan, student, book } = agendaOf(newcomer.api);
    const planId = await plan();
    await steps.getByText('1 de 4 feitos').waitFor();
    expect(await steps.getByRole('list').getByRole('link').allTextContents()).toHaveLength(3);
    const bia = await student('Bia Lima', planId);
    await book({ student_id: bia, inicio: '2030-03-12T10:00:00.000Z', fim: '2030-03-12T11:00:00.000Z' });
    await steps.getByText('3 de 4 feitos').waitFor();
    const extras = page.getByRole('group', { name: 'Quando puder' });
    expect(await extras.getByRole('link').allTextContents()).toEqual(['Local', 'Chave Pix', 'Link público']);
    await steps.getByRole('link', { name: 'Faça a primeira cobrança' }).click();
    await page.getByRole('dialog').getByText('Bia Lima').click();
    await page.getByLabel('Plano').selectOption('outro');
    await page.getByLabel('Descrição').fill('Pacote Bia');
    await page.getByLabel('Valor (R$)').fill('320');
    await page.getByRole('button', { name: 'Gerar link de pagamento' }).click();
    await page.getByText('Link criado!').waitFor();
    await goLive(page, '/');
    await page.getByRole('region', { name: 'A seguir' }).getByText('Bia Lima').waitFor();
    await steps.waitFor({ state: 'detached' });
    expect(await extras.getByRole('link').allTextContents()).toEqual(['Local', 'Chave Pix']);
  });
});
