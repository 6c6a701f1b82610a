import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { goLive, nextSocketOf, signedInWindow } from '../e2e/trainer-screen.js';
import { openScreen } from '../support/browser.js';
import { testDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { CLIENT_SECRET, startProvider } from '../support/openid.js';
import { faults } from '../support/page-faults.js';
import { privatePort } from '../support/ports.js';
import { signUp as signUpTrainer, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { applicant, openLink, signIn, signUp } from './people.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

describeWithChromium('the sign-in page', () => {
  it('asks a new person from Google for the missing data, and signs them in', async () => {
    const port = await privatePort();
    const site = `http://127.0.0.1:${port}`;
    const google = await startProvider(`${site}/auth/v1/callback`);
    const configured = await startApp({
      port,
      env: {
        SITE_URL: site,
        GOOGLE_CLIENT_ID: 'rende',
        GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
        GOOGLE_ISSUER: google.issuer,
      },
    });
    const { email, options } = applicant();
    google.person = { sub: randomUUID(), email, email_verified: true, name: 'Ana de Souza' };
    const screen = await openScreen(configured);
    const { page } = screen;
    await page.goto('/auth?destino=%2Falunos');
    await page.getByRole('button', { name: 'Google' }).click();
    await page.getByRole('heading', { name: 'Complete o cadastro' }).waitFor();
    await page.getByText(email).waitFor();
    expect(await page.getByLabel('Nome').inputValue()).toBe('Ana de Souza');
    expect(await faults(screen, '/cadastro')).toEqual([]);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await page.getByText('Informe seu CPF').waitFor();
    await page.reload();
    await page.getByLabel('CPF').fill(options.data.cpf);
    await page.getByLabel('Data de nascimento').fill('28/02/1990');
    await page.getByLabel('Celular').fill('11943214321');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Criar conta' }).click();

    await page.getByText('Conta criada com sucesso!').waitFor();
    await page.waitForURL(`${site}/alunos`);
    await page.getByRole('button', { name: 'Começar Configuração' }).waitFor();
    await page.goto(`${site}/cadastro#ticket=usado`);
    await page.getByRole('heading', { name: 'Este cadastro expirou' }).waitFor();
  });

  it('mails a link for a forgotten password, with which a new one is set', async () => {
    const { person } = await signUp(app.url);
    const { page } = await openScreen(app);
    await page.goto('/auth');
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByRole('button', { name: 'Esqueci minha senha' }).click();
    await page.getByRole('button', { name: 'Enviar link' }).click();
    await page.getByText('Email enviado!').waitFor();
    const { query } = await openLink(app, (await nextMail(person.email)).link);

    await page.goto(`/auth?code=${query.code}`);
    await page.getByRole('heading', { name: 'Crie uma nova senha' }).waitFor();
    await page.getByLabel('Nova senha').fill('123456');
    await page.getByRole('button', { name: 'Salvar nova senha' }).click();
    await page.getByText('Esta senha é muito comum. Escolha outra.').waitFor();
    await page.getByLabel('Nova senha').fill('AnaSouza2026');
    await page.getByRole('button', { name: 'Salvar nova senha' }).click();
    await page.getByText('Escolha uma senha que não seja seu nome').waitFor();
    await page.getByLabel('Nova senha').fill('Serra-Verde-77');
    await page.getByRole('button', { name: 'Salvar nova senha' }).click();

    await page.getByRole('heading', { name: /^Olá, / }).waitFor();
    expect((await signIn(app.url, { ...person, password: 'Serra-Verde-77' })).error).toBeNull();
  });
});

describeWithChromium('the pages of the own account', () => {
  let trainer: Trainer;
  let own: Page;

  it('enrol an authenticator app, accept its codes and recovery codes, and end other sessions with a new password', async () => {
    const database = await testDatabase();
    trainer = await signUpTrainer(app);
    const { page } = await signedInWindow(app, trainer);
    await goLive(page, '/ajustes/seguranca');
    await database.query("update auth.sessions set amr = '[]' where user_id = $1", [trainer.userId]);
    await page.getByRole('button', { name: 'Ativar verificação' }).click();
    await page.getByLabel('Sua senha').fill('não é esta');
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Senha atual incorreta').waitFor();
    await page.getByLabel('Sua senha').fill(trainer.password);
    await page.getByRole('button', { name: 'Continuar' }).click();
    const secret = (await page.getByLabel('Chave', { exact: true }).innerText()).replaceAll(' ', '');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = page.getByLabel('Código de 6 dígitos');
    const link = page.getByRole('button', { name: 'Ativar', exact: true });
    await code.fill('000000');
    await link.click();
    await page.getByText('Código incorreto. Confira e tente de novo.').waitFor();
    await code.fill(totp.generate());
    await link.click();
    const shown = page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem');
    await shown.first().waitFor();
    const codes = await shown.allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await page.getByRole('button', { name: 'Guardei os códigos' }).click();
    await page.getByText('Restam 10').waitFor();

    const enter = async (screen: Page) => {
      await screen.getByLabel('E-mail').fill(trainer.email);
      await screen.getByLabel('Senha', { exact: true }).fill('não é esta');
      await screen.getByRole('button', { name: 'Entrar' }).click();
      await screen.getByText('Email ou senha incorretos').waitFor();
      await screen.getByLabel('Senha', { exact: true }).fill(trainer.password);
      await screen.getByRole('button', { name: 'Entrar' }).click();
      await screen.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
    };
    const confirm = async (screen: Page, factor: string) => {
      await screen.getByLabel('Código').fill(factor);
      await screen.getByRole('button', { name: 'Confirmar' }).click();
    };
    await page.goto('/ajustes');
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.waitForURL('**/auth*');
    // The second factor is asked for also after a reload, and leads to the requested page.
    const socket = nextSocketOf(page);
    await page.goto('/ajustes/seguranca');
    await enter(page);
    await page.reload();
    await confirm(page, '000000');
    await page.getByText('Código incorreto. Confira e tente de novo.').waitFor();
    await confirm(page, totp.generate({ timestamp: Date.now() + 30_000 }));
    await page.waitForURL('**/ajustes/seguranca');
    const { page: other } = await openScreen(app);
    await other.goto('/ajustes/conta');
    await enter(other);
    await confirm(other, codes[0]!);
    await page.bringToFront();
    await page.getByText('Restam 9').waitFor();
    // The page is notified that its session has ended.
    await socket.joined();

    await other.getByRole('button', { name: 'Trocar senha' }).click();
    const sheet = other.getByRole('dialog', { name: 'Trocar senha' });
    await sheet.getByLabel('Senha atual').fill('não é esta');
    await sheet.getByLabel('Nova senha', { exact: true }).fill('Serra-Verde-77');
    await sheet.getByRole('button', { name: 'Trocar senha' }).click();
    await sheet.getByText('Senha atual incorreta').waitFor();
    await sheet.getByLabel('Senha atual').fill(trainer.password);
    await sheet.getByRole('button', { name: 'Trocar senha' }).click();
    await other.getByText('Senha alterada').waitFor();
    await page.waitForURL('**/auth*');

    await other.goto('/ajustes/seguranca');
    await other.getByRole('button', { name: 'Desativar', exact: true }).click();
    await other.getByLabel('Código', { exact: true }).fill(codes[1]!);
    await other.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click();
    await other.getByRole('button', { name: 'Ativar verificação' }).waitFor();
    expect((await signIn(app.url, { ...trainer, password: 'Serra-Verde-77' })).error).toBeNull();
  });

  it('keep working with an expired token while the session is locked for longer than the service waits', async () => {
    trainer = await signUpTrainer(app);
    ({ page: own } = await signedInWindow(app, trainer));
    const page = own;
    await goLive(page, '/ajustes');
    await page.getByRole('link', { name: /^Ana Personal/ }).waitFor();
    await page.evaluate(`localStorage.setItem('rende.auth',
      JSON.stringify({ ...JSON.parse(localStorage.getItem('rende.auth')), expires_at: 1 }))`);
    // The service's answer after five seconds; see sessions.int.spec.ts.
    const refused = { status: 409, json: { code: 'conflict', message: 'Too many concurrent token refresh' } };
    let tries = 0;
    await page.route('**/auth/v1/token?grant_type=refresh_token', (route) =>
      (tries += 1) === 1
        ? route.fulfill({ ...refused, headers: { 'X-Supabase-Api-Version': '2024-01-01' } })
        : route.continue(),
    );
    await page.reload();
    // The page immediately shows the data of the offline cache.
    await eventually(() => Promise.resolve(tries), 2);
    await page.getByRole('link', { name: /^Ana Personal/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ajustes');
  });

  it('wait while the service is unavailable, and redirect to /auth when the session has ended', async () => {
    const database = await testDatabase();
    const { session, user } = await signUp(app.url);
    const { page } = await openScreen(app);
    await page.addInitScript(
      `localStorage.setItem('rende.auth', ${JSON.stringify(JSON.stringify(session))})`,
    );
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/me', async (route) => {
      await held;
      await route.continue();
    });
    await page.clock.install();
    await page.goto('/alunos');
    await page.getByRole('status').getByText('Carregando...').waitFor();
    // The gallery's test checks the timing of this line with a mocked clock; here it is real.
    await page.clock.fastForward(5000);
    await page.getByText('Está demorando mais que o normal. Ainda tentando…').waitFor();
    await database.query('delete from auth.users where id = $1', [user.id]);
    answer();
    await page.waitForURL('**/auth?destino=%2Falunos');
    await page.getByRole('button', { name: 'Entrar' }).waitFor();
  });

  it('show a pending change of address, also after a reload, and changes made in another tab', async () => {
    const { email } = applicant();
    const page = own;
    const tab = await page.context().newPage();
    await tab.goto('/ajustes');
    await tab.getByRole('link', { name: /^Ana Personal/ }).waitFor();
    // A window in the background is rendered once a second.
    await page.bringToFront();
    await page.goto('/ajustes/conta');
    await page.getByLabel('Nome').fill('Ana Nova');
    await page.getByRole('button', { name: 'Salvar perfil' }).click();
    await tab.getByRole('link', { name: /^Ana Nova/ }).waitFor();
    await tab.close();

    await page.getByRole('button', { name: 'Trocar e-mail' }).click();
    await page.getByLabel('Novo e-mail').fill(email);
    await page.getByRole('button', { name: 'Enviar confirmações' }).click();
    await page.getByText('E-mails de confirmação enviados').waitFor();
    await page.reload();
    const change = page.getByRole('group', { name: 'Troca de e-mail' });
    await change
      .getByLabel(`Código enviado para ${trainer.email}`)
      .fill((await nextMail(trainer.email)).code);
    await change.getByRole('button', { name: 'Confirmar' }).first().click();
    await change.getByText('Confirmado').waitFor();
    const { query } = await openLink(app, (await nextMail(email)).link);
    await page.goto(`/ajustes/conta?${new URLSearchParams(query).toString()}`);
    await page.getByRole('button', { name: 'Trocar e-mail' }).waitFor();
    await page.getByText(email).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect((await signIn(app.url, { ...trainer, email })).error).toBeNull();
  });
});
