import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import type { Page } from 'playwright-core';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { sharedApp } from '../support/shared.js';
import { chooseToday } from '../support/sheets.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { nextSocketOf } from './trainer-screen.js';

const email = `${randomUUID()}@example.com`;
/** Ends with a space, because spaces count, even at the ends. */
const password = `${randomUUID()} `;

describeWithChromium('a day of work, and a second browser that sees it', () => {
  let first: Screen;
  let second: Screen;
  let page: Page;

  const shows = (screen: Screen, text: string | RegExp) => screen.page.getByText(text).first().waitFor();
  const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const goTo = (area: string) =>
    page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: area }).click();
  const start = async (what: string) => {
    await press('Ações rápidas');
    await page.getByRole('link', { name: what, exact: true }).click();
  };

  beforeAll(async () => {
    const app = await sharedApp();
    first = await openScreen(app);
    second = await openScreen(app);
    page = first.page;
  });

  it('begins with a new account', async () => {
    await page.goto('/');
    await page.getByRole('tab', { name: 'Criar conta' }).click();
    await page.getByLabel('Nome').fill('Rafaela Martins');
    await page.getByLabel('CPF').fill(cpf.generate());
    await page.getByLabel('Data de nascimento').fill('05/03/1990');
    await page.getByLabel('Celular').fill('11987654321');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Senha', { exact: true }).fill(password);
    await page.getByRole('checkbox').check();
    await press('Criar conta');
    await toast('Conta criada com sucesso!');
    await page.getByRole('heading', { name: 'Olá, Rafaela!' }).waitFor();
  });

  it('sets up the business in a conversation, which continues where it stopped', async () => {
    await press('Começar Configuração');
    const answer = async (text: string, understood = text) => {
      const field = page.getByPlaceholder('Digite sua resposta...');
      await field.fill(text);
      await page.getByRole('button', { name: 'Enviar' }).and(page.locator(':enabled')).waitFor();
      await field.press('Enter');
      await page.getByRole('log').getByText(understood, { exact: true }).first().waitFor();
    };
    await answer('uns 12');
    await answer('presencial');
    await page.reload();
    await page.getByText('27% completo').waitFor();
    await page.keyboard.press('Escape');
    await page.getByPlaceholder('Digite sua resposta...').fill('depende');
    await page.keyboard.press('Enter');
    await page.getByText('Não entendi o valor.').waitFor();
    await answer('1.234,56', 'R$ 1.234,56');
    await answer('pix, dinheiro');
    await press('Sim');
    await answer('5 mil', 'R$ 5.000,00');
    for (const text of ['mensal', 'não, às vezes', 'claro', 'viajar']) await answer(text);
    await page.getByPlaceholder('Digite sua resposta...').fill('10');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('R$ 1,67 por mês? Confira.').waitFor();
    await answer('60.000', 'R$ 60.000,00');
    await toast('Onboarding concluído!');
    await page
      .getByRole('region', { name: 'Primeiros passos' })
      .getByRole('link', { name: 'Crie um plano' })
      .waitFor();
    await page.goto('/ajustes/configuracoes');
    await eventually(() => page.getByLabel('Meta mensal').inputValue(), '10.000,00');
    await eventually(() => page.getByLabel('Meta de reserva').inputValue(), '2.000,00');
  });

  it('signs in a second browser, which opens the requested page', async () => {
    const socket = nextSocketOf(second.page);
    await second.page.goto('/alunos');
    await second.page.getByLabel('E-mail').fill(email);
    await second.page.getByLabel('Senha', { exact: true }).fill(password);
    await second.page.getByRole('button', { name: 'Entrar' }).click();
    await shows(second, '0 alunos cadastrados');
    await socket.joined();
    await second.page.evaluate('window.stayed = true');
  });

  it('creates a plan and a student with it', async () => {
    // The settings have no quick actions, because they are a form.
    await goTo('Dashboard');
    await start('Plano');
    await page.getByLabel('Nome *').fill('Mensal 8 aulas');
    await page.getByLabel('Valor *').fill('640');
    await page.getByLabel('Créditos *').fill('8');
    await press('Cadastrar Plano');
    await toast('Plano criado');

    await start('Aluno');
    await page.getByLabel('Nome completo *').fill('Ana Beatriz');
    await page.getByLabel('WhatsApp *').fill('11912345678');
    await page.getByLabel('Plano').selectOption({ label: 'Mensal 8 aulas - 8 créditos' });
    await press('Cadastrar Aluno');
    await toast('Aluno cadastrado com sucesso!');

    await shows(second, 'Ana Beatriz');
    await shows(second, '1 aluno cadastrado');
    await shows(second, '0 créditos');
  });

  it('renews her credits from the list', async () => {
    await goTo('Alunos');
    await press('Mais ações de Ana Beatriz');
    await page.getByRole('menuitem', { name: 'Renovar' }).click();
    await page.getByRole('button', { name: 'Outra forma' }).click();
    // Keep the toast: the next test closes it.
    await holdToasts(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Só renovar' }).click();
    await toast('Plano renovado');
    await shows(first, '8 créditos');
    await shows(second, '8 créditos');
  });

  it('books a session in four taps', async () => {
    await second.page
      .getByRole('navigation', { name: 'Principal' })
      .getByRole('link', { name: 'Agenda' })
      .click();
    await shows(second, 'Nenhuma sessão agendada');

    // The toast covers the quick actions.
    const renewed = page.getByRole('listitem').filter({ hasText: 'Plano renovado' });
    await renewed.getByRole('button', { name: 'Close toast' }).click();
    await renewed.waitFor({ state: 'detached' });
    await letToastsGo(page);
    await start('Agendamento');
    // The list of students, which stays until the next page is drawn, also has a button with her name.
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: /Ana Beatriz/ }).click();
    await chooseToday(sheet);
    await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
    await toast('Agendamento criado com sucesso!');
    await shows(first, 'Ana Beatriz');
    await second.page.getByRole('button', { name: /Agendada.*Ana Beatriz/ }).waitFor();
  });

  it('completes it from the calendar, which uses a credit', async () => {
    // Keep the toast: the next test presses its undo button.
    await holdToasts(page);
    await press('Marcar como feita: Ana Beatriz');
    await toast('Sessão marcada como feita');
    await second.page.getByRole('button', { name: /Realizada.*Ana Beatriz/ }).waitFor();
    await goTo('Alunos');
    await shows(first, '7 créditos');
  });

  it('undoes that, which returns the credit', async () => {
    await undo(page, 'Sessão marcada como feita');
    await letToastsGo(page);
    await shows(first, '8 créditos');
    await second.page.getByRole('button', { name: /Agendada.*Ana Beatriz/ }).waitFor();
  });

  it('records a payment', async () => {
    await second.page
      .getByRole('navigation', { name: 'Principal' })
      .getByRole('link', { name: 'Financeiro' })
      .click();
    await shows(second, 'Nenhuma transação encontrada');

    await start('Lançamento');
    await page.getByLabel('Valor (R$)').fill('640,00');
    await page.getByLabel('Descrição').fill('Mensalidade Ana');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    // Submit twice before the page is drawn again, as with a double tap.
    await page.evaluate(`{
      const form = document.querySelector('[role=dialog] form');
      form.requestSubmit();
      form.requestSubmit();
    }`);
    await toast('Transação criada');
    expect(sent).toEqual(['/api/v1/transactions']);
    await shows(second, 'Mensalidade Ana');
    await shows(second, '6,4% da meta');
  });

  it('was shown in the second browser without reloading, and neither had any faults', async () => {
    expect(await second.page.evaluate('window.stayed')).toBe(true);
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  it('ends with signing out, after which no page is accessible', async () => {
    await goTo('Ajustes');
    const refused = { status: 500, json: { code: 'unexpected_failure', msg: 'refused' } };
    await page.route('**/auth/v1/logout*', (route) => route.fulfill(refused), { times: 1 });
    await press('Sair');
    // Move the pointer away: a toast under the pointer does not close, and would cover the next button.
    await page.mouse.move(0, 0);
    await toast('Erro ao fazer logout');
    await press('Sair');
    await toast('Logout realizado com sucesso');
    await page.goto('/financeiro');
    await page.getByRole('tab', { name: 'Entrar' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth');
  });
});
