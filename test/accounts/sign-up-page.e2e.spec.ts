import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { createDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { faults } from '../support/page-faults.js';
import { privatePort } from '../support/ports.js';
import { applicant, browser, signIn, signUpByMail } from './people.js';

let app: TestApp;
beforeAll(async () => {
  const port = await privatePort();
  const env = { MAILER_AUTOCONFIRM: 'false', SITE_URL: `http://127.0.0.1:${port}` };
  app = await startApp({ database: await createDatabase(), port, env });
});

async function fillIn(page: Page, { email, password, options: { data } }: ReturnType<typeof applicant>) {
  await page.goto('/auth?aba=cadastro');
  await page.getByLabel('Nome').fill(data.nome);
  await page.getByLabel('CPF').fill(data.cpf);
  await page.getByLabel('Data de nascimento').fill('28/02/1990');
  await page.getByLabel('Celular').fill(data.telefone);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
}

async function openLink(page: Page, link: string) {
  await page.goto(link);
  await page.getByRole('button').click();
}

describeWithChromium('signing up with an address to confirm, on the page', () => {
  it('is completed with the code of any mail to the address, even one that a stranger requested', async () => {
    const person = applicant();
    const screen = await openScreen(app);
    const { page } = screen;
    await fillIn(page, person);
    await nextMail(person.email);
    const stranger = { ...applicant(), email: person.email, password: 'Mata-Escura-13' };
    await browser(app.url).signUp(stranger);
    const { code } = await nextMail(person.email);
    expect(await faults(screen, '/auth')).toEqual([]);

    const field = page.getByLabel('Código do e-mail');
    await field.fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Código incorreto ou expirado. Confira ou peça outro.').waitFor();
    await field.fill(code);
    await page.getByRole('button', { name: 'Confirmar' }).click();

    await page.getByText('Conta confirmada!').waitFor();
    await page.getByRole('button', { name: 'Começar Configuração' }).waitFor();
    expect((await signIn(app.url, person)).error).toBeNull();
    expect((await signIn(app.url, stranger)).error?.code).toBe('invalid_credentials');
  });

  it('is completed by the link in the same browser', async () => {
    const person = applicant();
    const { page } = await openScreen(app);
    await fillIn(page, person);
    const { link } = await nextMail(person.email);
    const { page: other } = await openScreen(app);
    await openLink(other, link);
    await other.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
    await other.getByRole('button', { name: 'Voltar' }).click();
    await other.getByRole('tab', { name: 'Criar conta' }).click();
    await other.getByLabel('CPF').waitFor();

    await openLink(page, link);

    await page.getByRole('button', { name: 'Começar Configuração' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect((await signIn(app.url, person)).error).toBeNull();
  });

  it('is completed by the link in another browser after typing the address that received it', async () => {
    const person = applicant();
    const emailRedirectTo = `${app.url}/auth?conta=confirmada`;
    await browser(app.url).signUp({ ...person, options: { ...person.options, emailRedirectTo } });
    const { link } = await nextMail(person.email);

    const screen = await openScreen(app);
    const { page: other } = screen;
    await openLink(other, link);
    const field = other.getByLabel('E-mail');
    await field.fill(applicant().email);
    expect(await faults(screen, '/auth')).toEqual([]);
    await other.getByRole('button', { name: 'Continuar' }).click();
    await other
      .getByText('Confira o e-mail. Se estiver certo, o link expirou ou já foi usado: peça outro.')
      .waitFor();
    await field.fill(person.email);
    await other.getByRole('button', { name: 'Continuar' }).click();

    await other.getByText('Conta confirmada!').waitFor();
    await other.getByRole('button', { name: 'Começar Configuração' }).waitFor();
    expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
  });

  it('asks for a new password where a link for it is opened in another browser', async () => {
    const { person } = await signUpByMail(app.url);
    await browser(app.url).resetPasswordForEmail(person.email, { redirectTo: `${app.url}/auth` });
    const { link } = await nextMail(person.email);

    const { page: other } = await openScreen(app);
    await openLink(other, link);
    await other.getByLabel('E-mail').fill(person.email);
    await other.getByRole('button', { name: 'Continuar' }).click();
    await other.getByLabel('Nova senha', { exact: true }).first().waitFor();
  });
});
