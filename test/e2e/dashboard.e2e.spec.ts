import { addHours, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import { agendaOf } from '../agenda/trainer.js';
import { startApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { openSignedIn } from './trainer-screen.js';

describeWithChromium('the dashboard', () => {
  let trainer: Trainer;
  let screen: Screen;
  let ana: string;

  beforeAll(async () => {
    const app = await startApp();
    trainer = await signUp(app);
    const { plan, student, book } = agendaOf(trainer.api);
    ana = await student('Ana Souza', await plan());
    // The hour that is now: of today at any time of the day.
    const inicio = startOfHour(new Date());
    await book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 1).toISOString(),
    });
    screen = await openSignedIn(app, trainer);
  });

  it('renews whose credits run out in one tap, and she leaves the list', async () => {
    const { page } = screen;
    await page.getByRole('region', { name: 'Créditos acabando' }).getByText('Sem créditos').waitFor();
    await page.getByRole('button', { name: 'Renovar plano de Ana Souza' }).click();
    await page.getByText('Plano renovado').waitFor();
    await page.getByText('Ninguém para renovar').waitFor();
    expect(await agendaOf(trainer.api).balance(ana)).toBe(4);
  });

  it("marks a session of today's timeline as done in one tap", async () => {
    const { page } = screen;
    const today = page.getByRole('region', { name: 'Agenda de hoje' });
    await today.getByText('0 de 1 feitas').waitFor();
    await today.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).click();
    await today.getByText('1 de 1 feitas').waitFor();
    await page.getByText('Usou 1 crédito.').waitFor();
  });

  it('shows money as it comes in elsewhere, without a reload', async () => {
    const { page, complaints } = screen;
    const money = page.getByRole('region', { name: /^Dinheiro de/ });
    await money.getByText('0% da meta').waitFor();
    await trainer.api.post('/transactions', {
      tipo: 'receita',
      descricao: 'Mensalidade',
      valor: 250_000,
      metodo_pagamento: 'pix',
      data: new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date()),
    });
    await money.getByText('25% da meta').waitFor();
    expect(complaints).toEqual([]);
  });
});
