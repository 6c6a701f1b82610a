import { expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { startApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp } from './people.js';

describeWithChromium('signing in with a second factor', () => {
  it('asks for the code after the password, also after a reload, and goes on to where one wanted to be', async () => {
    const app = await startApp();
    const { person, client } = await signUp(app.url);
    const { data } = await client.mfa.enroll({ factorType: 'totp' });
    const totp = new TOTP({ secret: Secret.fromBase32(data!.totp.secret) });
    await client.mfa.challengeAndVerify({ factorId: data!.id, code: totp.generate() });

    const { page } = await openScreen(app);
    await page.goto('/alunos');
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Senha', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
    await page.reload();
    await page.getByLabel('Código').fill('000000');
    await page.getByRole('button', { name: 'Confirmar' }).click();
    await page.getByText('Código incorreto. Confira e tente de novo.').waitFor();
    await page.getByLabel('Código').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
    await page.getByRole('button', { name: 'Confirmar' }).click();

    await page.getByRole('heading', { name: 'Alunos' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alunos');
  });
});
