import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import type { Screen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { unzip } from '../support/zip.js';
import { studentWithALife } from './life.js';

describeWithChromium('forgetting a student', () => {
  let app: TestApp;
  let trainer: Trainer;
  let screen: Screen;
  let other: Screen;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    ({ id } = await studentWithALife(trainer.api));
    screen = await signedInWindow(app, trainer);
    other = await signedInWindow(app, trainer, { width: 1440, height: 900 });
    ({ page } = screen);
    await goLive(other.page, `/alunos/${id}`);
    await other.page.getByRole('heading', { name: 'Wandréia Xistovski' }).waitFor();
  });

  it('shows the consequences, and asks for a word before it is done', async () => {
    await goLive(page, `/alunos/edit/${id}`);
    await page.getByRole('button', { name: 'Apagar dados do aluno (LGPD)' }).click();
    const sheet = page.getByRole('dialog', { name: 'Apagar dados de Wandréia Xistovski' });
    await sheet.getByText('Não dá para desfazer:').waitFor();
    await sheet.getByText('(recibos e contratos assinados)').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const button = sheet.getByRole('button', { name: 'Apagar para sempre' });
    expect(await button.isDisabled()).toBe(true);
    await sheet.getByLabel('Para confirmar, digite APAGAR').fill('apaga');
    expect(await button.isDisabled()).toBe(true);
    await sheet.getByLabel('Para confirmar, digite APAGAR').fill('apagar');
    await button.click();
    await page.getByText('Os dados pessoais foram apagados e 3 sessões foram canceladas.').waitFor();
  });

  it.each([
    ['here', () => screen],
    ['in another browser, by itself', () => other],
  ])('leaves a page without the name, and without controls: %s', async (_where, on) => {
    const { page: seen, complaints } = on();
    await seen.getByRole('heading', { name: 'Aluno apagado' }).waitFor();
    await seen.getByText('Os dados pessoais foram apagados', { exact: true }).waitFor();
    expect(await seen.getByRole('link', { name: /Editar|Agendar|WhatsApp|Cobrar/ }).count()).toBe(0);
    await seen.getByRole('tab', { name: 'Histórico' }).click();
    await seen.getByText('Apagou os dados pessoais do aluno').waitFor();
    await seen.getByText('8 créditos').first().waitFor();
    await seen.getByRole('tab', { name: 'Extrato' }).click();
    await seen.getByText('Ajuste de saldo').first().waitFor();
    for (const name of [
      'Salvar',
      'Reativar',
      'Excluir',
      'Dar baixa em 1 crédito',
      'Ajustar',
      'Renovar',
      'Apagar dados do aluno (LGPD)',
    ])
      expect(await seen.getByRole('button', { name }).count()).toBe(0);
    expect(await seen.locator('body').innerText()).not.toMatch(/Wandréia|98765|casamento/);
    expect(complaints).toEqual([]);
  });

  it('is listed among inactive ones without a name', async () => {
    await goLive(page, '/alunos');
    await page.getByText('Inativos').click();
    await page.getByText('Sem dados pessoais').waitFor();
    expect(await page.getByRole('button', { name: /Reativar|Mais ações/ }).count()).toBe(0);
  });

  it('can be followed by the deletion of the account: an export, what is deleted and what is kept, and the sign-out', async () => {
    await goLive(page, '/ajustes');
    await page.getByRole('link', { name: 'Seus dados' }).click();
    await page.getByRole('button', { name: 'Exportar meus dados' }).click();
    const proof = page.getByRole('dialog', { name: 'Exportar meus dados' });
    await proof.getByLabel('Sua senha').fill('não é esta');
    await proof.getByRole('button', { name: 'Pedir a cópia' }).click();
    await proof.getByText('Senha incorreta').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await proof.getByLabel('Sua senha').fill(trainer.password);
    await proof.getByRole('button', { name: 'Pedir a cópia' }).click();
    await proof.waitFor({ state: 'detached' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^rende-.*\.zip$/);
    const copy = await unzip(await readFile(await file.path()));
    expect([...copy.keys()]).toContain('conta.json');
    await page.getByRole('button', { name: 'Excluir minha conta' }).click();
    const sheet = page.getByRole('dialog', { name: 'Excluir minha conta' });
    await sheet.getByText('Não dá para desfazer:').waitFor();
    await sheet.getByText('Tudo o que identifica o seu aluno').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await sheet.getByLabel('Sua senha').fill('não é esta');
    await sheet.getByLabel('Para confirmar, digite EXCLUIR').fill('excluir');
    await sheet.getByRole('button', { name: 'Excluir para sempre' }).click();
    await sheet.getByText('Senha incorreta').waitFor();
    await sheet.getByLabel('Sua senha').fill(trainer.password);
    await sheet.getByRole('button', { name: 'Excluir para sempre' }).click();
    await page.waitForURL('**/auth*');
    await page.getByText('Conta excluída').waitFor();
    // And stays there.
    await page.getByRole('button', { name: 'Entrar' }).waitFor();
    // The other browser is signed out too.
    await other.page.goto('/');
    await other.page.waitForURL('**/auth*');
  });
});
