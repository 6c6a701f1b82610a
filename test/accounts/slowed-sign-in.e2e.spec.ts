import { beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { createDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { faults } from '../support/page-faults.js';
import { settle } from '../support/onboarding.js';
import { signUp } from '../support/people.js';
import { anyAddress, browser } from './people.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ database: await createDatabase() });
});

describeWithChromium('the sign-in page of an account that strangers try passwords for', () => {
  it('accepts a mailed code from the owner in a new browser, and the password in a known one', async () => {
    const person = await signUp(app);
    await settle(person.api);
    const known = await openScreen(app);
    const enter = async ({ page }: typeof known) => {
      await page.goto('/auth');
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByLabel('Senha', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Entrar' }).click();
    };
    await enter(known);
    await known.page.getByText('Login realizado com sucesso!').waitFor();
    await known.page.goto('/ajustes');
    await known.page.getByRole('button', { name: 'Sair' }).click();
    await known.page.waitForURL('**/auth*');
    for (let n = 0; n < 51; n += 1)
      await browser(app.url, anyAddress()).signInWithPassword({ email: person.email, password: 'errada' });
    expect((await nextMail(person.email)).subject).toBe('Muitas senhas erradas na sua conta do Rende');

    await enter(known);
    await known.page.getByText('Login realizado com sucesso!').waitFor();

    const screen = await openScreen(app);
    const { page } = screen;
    await enter(screen);
    await page.getByRole('heading', { name: 'Muitas tentativas com senha errada' }).waitFor();
    screen.complaints.length = 0;
    expect(await faults(screen, '/auth')).toEqual([]);
    await page.getByRole('button', { name: 'Enviar código' }).click();
    const { code } = await nextMail(person.email);
    await page.getByLabel('Código do e-mail').fill(code);
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Login realizado com sucesso!').waitFor();
  });
});
