import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { TestApp } from '../support/app.js';
import { openScreen, type Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectToLookWell, openLightly } from '../support/written-screen.js';

describeWithChromium('the payment page', () => {
  let app: TestApp;
  let trainer: Trainer;
  let student_id: string;
  let phone: Screen;
  let id: string;
  /** Of the charge. */
  let path: string;

  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const detail = async () => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
  const pathOf = async () => new URL((await detail()).link!).pathname;
  const pay = (valor: number) =>
    trainer.api.post(`/charges/${id}/payments`, {
      valor,
      data: dayOf(new Date(Date.now() - 86_400_000)),
      metodo_pagamento: 'pix',
    });
  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app, { nome: 'Bruna Dias' });
    ({ id: student_id } = (
      await trainer.api.post('/students', { nome: 'Ana Prado', whatsapp: '(11) 98877-6655' })
    ).body);
    await trainer.api.put('/settings/pix', {
      tipo: 'cpf',
      chave: '529.982.247-25',
      nome: 'Bruna Souza Dias',
      cidade: 'São Paulo',
    });
    phone = await openScreen(app);
  });

  beforeEach(async () => {
    ({ id } = (
      await trainer.api.post('/charges', {
        student_id,
        descricao: 'Pacote 10',
        valor: 45_000,
        vencimento: '2030-11-25',
      })
    ).body);
    path = await pathOf();
    phone.complaints.length = 0;
  });

  it('copies the code, and shows by itself a part payment and the rest, within two seconds', async () => {
    const { page, complaints } = await openScreen(app);
    await openLightly(page, path);
    await heading(page, 'Olá, Ana!');
    await expectToLookWell(page);

    await page.evaluate('navigator.clipboard.writeText = async (text) => void (window.copied = text)');
    await page.getByRole('button', { name: 'Copiar código Pix' }).press('Enter');
    await page.getByText('Código Pix copiado! Cole no app do seu banco.').waitFor();
    expect(await page.evaluate('window.copied')).toBe((await detail()).pix);

    // By a clock that only the test advances, because a busy machine takes longer for what the page asks. It stands before the
    // page is loaded again, which then asks for nothing by itself.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.goto(path);
    await heading(page, 'Olá, Ana!');
    await page.evaluate('window.isSame = true');
    const arrives = async (valor: number, words: string) => {
      await pay(valor);
      await trainer.api.get(`/charges/${id}`);
      await page.clock.runFor(2000);
      await page.getByText(words).first().waitFor();
    };
    await arrives(15_000, 'Recebemos R$ 150,00 de R$ 450,00. Falta pagar R$ 300,00.');
    await arrives(30_000, 'Recebemos R$ 450,00');
    await page.clock.resume();
    expect(await page.title()).toBe('Pagamento confirmado · Bruna Dias');
    expect(await page.locator('#news').textContent()).toBe('Recebemos R$\u00a0450,00');
    expect(await page.evaluate('window.isSame')).toBe(true);
    await expectToLookWell(page);
    expect(complaints).toEqual([]);
  });

  it('tells the trainer of the payment, and keeps the focus where it was', async () => {
    const { page, complaints } = phone;
    await page.goto(path);
    let asked = 0;
    await page.route('**/api/v1/pay/claim', async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      // The answer is lost.
      await route.fetch();
      return route.abort();
    });
    const claim = page.getByRole('button', { name: 'Já paguei' });
    await claim.press('Enter');
    await page.getByText('Sem conexão com o servidor. Tente de novo.').waitFor();
    await page.unroute('**/api/v1/pay/claim');
    // The page may meanwhile show by itself that it was told.
    if (await claim.isVisible()) await claim.press('Enter').catch(() => undefined);
    await page.getByText('Aviso enviado. Bruna Dias confirma assim que o pagamento aparecer.').waitFor();
    await eventually(async () => (await detail()).avisada_em !== null, true);
    await eventually(() => page.locator('#claim').count(), 0);
    await expectToLookWell(page);
    expect(complaints.filter((text) => !text.includes('/pay/claim'))).toEqual([]);
  });

  it('keeps the code without a network, and shows on coming back what happened meanwhile', async () => {
    const { page } = await openScreen(app);
    await page.goto(path);
    await heading(page, 'Olá, Ana!');
    await page.context().setOffline(true);
    await pay(45_000);
    const failed = () =>
      page.waitForEvent('requestfailed', (request) => request.url().includes('/api/v1/pay/'));
    await failed();
    await failed();
    expect(await page.locator('#code').isVisible()).toBe(true);
    await page.context().setOffline(false);
    await heading(page, 'Recebemos R$ 450,00');
    await page.close();
  });

  it('says that the link is no longer valid once it was replaced', async () => {
    const { page } = await openScreen(app);
    await page.goto(path);
    await heading(page, 'Olá, Ana!');
    await trainer.api.post(`/charges/${id}/link`);
    await heading(page, 'Link inválido ou expirado');
    await expectToLookWell(page);
    await page.close();
  });

  it('says everything without a script', async () => {
    const { page } = await openScreen(app, { scripts: false });
    await page.goto(path);
    await heading(page, 'Olá, Ana!');
    for (const said of ['R$ 450,00', 'Pacote 10', 'Bruna Souza Dias', 'CPF ***.982.247-**'])
      await page.getByText(said).first().waitFor();
    expect(await page.locator('#code').textContent()).toBe((await detail()).pix);
    const { width, height } = (await page.getByRole('img', { name: 'QR Code do Pix' }).boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(200);
    await page.close();
  });

  it('has a way back only in the installed app, which has no button for it', async () => {
    const { page } = await openScreen(app);
    await page.goto(path);
    await heading(page, 'Olá, Ana!');
    const back = page.getByRole('link', { name: 'Voltar ao Rende' });
    expect(await back.count()).toBe(0);
    // The headless browser has no display mode of installed apps.
    await page.evaluate(`for (const { cssRules } of document.styleSheets)
      for (const { media } of cssRules)
        if (media?.mediaText === '(display-mode: standalone)') media.mediaText = 'all'`);
    await back.waitFor();
    expect(new URL(await page.evaluate<string>('document.querySelector(".home a").href')).pathname).toBe('/');
    await expectToLookWell(page);
    await page.close();
  });
});
