import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TransactionPage } from '../../backend/modules/finance/finance.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { faults } from '../support/page-faults.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { desk, phone } from '../e2e/pages.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import { calls, factsOf, type ModelServer, startModelServer, text } from './model-server.js';

/** The window, in which each answer changes something. */
const CHAT = '[role=dialog]';

/** Whether no toast covers the window; a sheet shows the message itself. */
const IS_TOAST_APART = `(() => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const [toast, chat] = [box('[data-sonner-toast]'), box('[role=dialog]')];
  return !toast || (toast.right <= chat.left || toast.bottom <= chat.top);
})()`;

describeWithChromium('the advisor', () => {
  let model: ModelServer;
  let app: TestApp;
  let modelled: TestApp;
  let trainer: Trainer;
  let asker: Trainer;
  let screen: Screen;

  beforeAll(async () => {
    model = await startModelServer();
    [app, modelled] = [
      await sharedApp(),
      await startApp({ env: { ADVISOR_URL: model.url, ADVISOR_MODEL: 'pequeno' } }),
    ];
    [trainer, asker] = [await signUp(app), await signUp(modelled)];
    for (const { api } of [trainer, asker]) await agendaOf(api).student('Carla Dias');
    screen = await signedInWindow(app, trainer, desk);
  });

  /** Opens the window, a sheet on the phone. */
  async function open(page: Page) {
    await goLive(page, '/financeiro');
    await page.getByRole('button', { name: 'Consultor' }).click();
    const chat = page.getByRole('dialog', { name: 'Consultor Financeiro' });
    const log = chat.getByRole('group', { name: 'Conversa' });
    const field = chat.getByLabel('Sua pergunta');
    const say = async (words: string) => {
      await chat.getByRole('button', { name: 'Enviar', exact: true }).waitFor();
      await field.fill(words);
      await field.press('Enter');
    };
    return { chat, log, field, say };
  }

  it('can be used completely by keyboard, in a window of 380 × 500 that grows', async () => {
    const { page } = screen;
    await goLive(page, '/financeiro');
    const opener = page.getByRole('button', { name: 'Consultor' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const chat = page.getByRole('dialog', { name: 'Consultor Financeiro' });
    const sized = async () => {
      const { width, height } = (await chat.boundingBox())!;
      return [width, height];
    };
    const focused = () =>
      page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await chat.getByLabel('Sua pergunta').waitFor();
    // The window is drawn before it takes the focus.
    await eventually(async () => [await sized(), await focused()], [[380, 500], 'Sua pergunta']);
    await page.keyboard.type('quanto recebi');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('este mês?');
    expect(await chat.getByLabel('Sua pergunta').inputValue()).toBe('quanto recebi\neste mês?');
    await page.keyboard.press('Enter');
    await chat.getByRole('button', { name: 'Copiar' }).waitFor();
    const passed: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('Shift+Tab');
      passed.push(await focused());
    }
    expect(passed).toEqual(['Copiar', 'R$\u00a00,00', 'R$\u00a00,00', 'Conversa']);
    await chat.getByRole('button', { name: 'Expandir' }).focus();
    await page.keyboard.press('Enter');
    await chat.getByRole('button', { name: 'Reduzir' }).waitFor();
    await eventually(async () => (await sized())[0], 720);
    await page.keyboard.press('Enter');
    await chat.getByRole('button', { name: 'Expandir' }).waitFor();
    await page.keyboard.press('Escape');
    await chat.waitFor({ state: 'detached' });
    await eventually(focused, 'Consultor');
  });

  it('has no faults on the phone, where it records a payment and undoes it, also after a reload', async () => {
    const { page } = screen;
    await page.setViewportSize(phone);
    const { chat, log, field, say } = await open(page);
    const found: string[] = [];
    const look = async (state: string, within?: string) => {
      found.push(...(await faults(screen, state, within)));
    };
    const received = async () => {
      const query = { month: dayOf().slice(0, 7) };
      const { body } = await trainer.api.get<TransactionPage>('/transactions', { query });
      return [body.total.quantidade, body.total.receitas];
    };
    await say('qto recebi esse mes?');
    await chat.getByRole('link', { name: 'R$ 0,00' }).first().waitFor();
    await say('anota 90 de uber');
    await chat.getByRole('button', { name: 'Registrar despesa' }).waitFor();
    await look('answer and card');
    await say('recebi 120 da Carla');
    await chat.getByText('Receita registrada').waitFor();
    await eventually(received, [1, 12_000]);
    await page.reload();
    const undo = { name: 'Desfazer lançamento' };
    await chat.getByRole('button', undo).click();
    await page.getByRole('dialog', undo).getByRole('button', undo).click();
    await chat.getByText('Lançamento desfeito').waitFor();
    await eventually(received, [2, 0]);
    await say('qual a capital da bahia');
    await log.getByText('Isso eu não sei responder.').waitFor();
    await look('done and unknown', CHAT);
    await chat.getByRole('button', { name: 'Limpar histórico' }).click();
    await chat.getByText('Lançamento desfeito').waitFor({ state: 'detached' });
    expect([found, await field.inputValue()]).toEqual([[], '']);
  });

  it('has no faults on the desk with a language model, nor where that fails', async () => {
    const other = await signedInWindow(modelled, asker, desk);
    const { page } = other;
    const { chat, log, field, say } = await open(page);
    const found: string[] = [];
    const look = async (state: string, within?: string) => {
      found.push(...(await faults(other, state, within)));
    };
    await log.getByText('As perguntas vão para o servidor de IA em').waitFor();
    const asked = new Promise<() => void>((resolve) => {
      model.plays(calls(['mes', { mes: '2026-11' }]), (sent, response, request) =>
        resolve(() => text(`Você recebeu {{${factsOf(sent)[1]!.id}}}.`)(sent, response, request)),
      );
    });
    await say('me conta do meu mês');
    await chat.getByText('Escrevendo…').waitFor();
    const answer = await asked;
    await look('awaited', CHAT);
    answer();
    await log.getByText('Números usados:').waitFor();
    model.plays(text('São R$ 999,00 sem fonte.'));
    await say('e qual é o segredo do sucesso?');
    await log.getByText('não veio dos seus números').waitFor();
    await look('answer and unbacked');
    model.plays(
      (_sent, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<p>'),
    );
    await say('me conta do meu ano');
    await page.getByText('O servidor de IA deu uma resposta inválida').waitFor();
    // Not waitForFunction, whose later attempts the page's policy refuses.
    await eventually(() => page.evaluate<boolean>(IS_TOAST_APART), true);
    await look('failed');
    expect([found, await field.inputValue()]).toEqual([[], 'me conta do meu ano']);
  });
});
