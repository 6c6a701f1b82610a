import { expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { faults } from '../support/page-faults.js';
import { privatePort } from '../support/ports.js';
import { settle } from '../support/onboarding.js';
import { signUp } from '../support/people.js';
import { signIn } from './people.js';
import { openScreen as ageProofs } from './second-factor.js';
import { testDatabase } from '../support/database.js';

/** A device with a finger that always fits; `touches` says whether it is touched when a page asks. */
async function deviceOn(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touches: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    keys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

describeWithChromium('a passkey', () => {
  it('is added, signs in, replaces the code of the app, and is removed', async () => {
    const port = await privatePort();
    // A passkey belongs to a domain.
    const site = `http://localhost:${port}`;
    const app = await startApp({ port, env: { SITE_URL: site } });
    const trainer = await signUp(app);
    await settle(trainer.api);
    const screen = await openScreen({ url: site });
    const { page } = screen;
    const device = await deviceOn(page);
    const typePassword = async () => {
      await page.getByLabel('E-mail').fill(trainer.email);
      await page.getByLabel('Senha', { exact: true }).fill(trainer.password);
      await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    };
    const leave = async () => {
      await device.touches(false);
      await page.goto('/ajustes');
      await page.getByRole('button', { name: 'Sair' }).click();
      await page.waitForURL('**/auth*');
    };
    const byPasskey = page.getByRole('button', { name: 'Entrar com chave de acesso' });
    await device.touches(false);
    await page.goto('/auth?destino=%2Fajustes%2Fseguranca');
    await byPasskey.waitFor();
    expect(await faults(screen, '/auth')).toEqual([]);
    await typePassword();

    await page.getByRole('button', { name: 'Adicionar chave de acesso' }).waitFor();
    expect(await faults(screen, '/ajustes/seguranca')).toEqual([]);
    await ageProofs(await testDatabase(), trainer.userId);
    await device.touches(true);
    await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByLabel('Sua senha').fill(trainer.password);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Chave de acesso adicionada').waitFor();
    expect(await device.keys()).toHaveLength(1);
    await page.getByRole('button', { name: /Adicionada: / }).click();
    await page.getByLabel('Nome', { exact: true }).fill('Celular');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Celular', { exact: true }).waitFor();

    // Suggested in the e-mail field, which the device answers at once.
    await leave();
    await device.touches(true);
    await page.reload();
    await page.getByText('Login realizado com sucesso!').waitFor();

    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await leave();
    await byPasskey.waitFor();
    await device.touches(true);
    await byPasskey.click();
    await page.getByText('Login realizado com sucesso!').waitFor();
    await page.goto('/ajustes/seguranca');
    await page.getByText(/^Último uso: /).waitFor();

    const { client } = await signIn(site, trainer);
    const { data } = await client.mfa.enroll({ factorType: 'totp' });
    const totp = new TOTP({ secret: Secret.fromBase32(data!.totp.secret) });
    await client.mfa.challengeAndVerify({ factorId: data!.id, code: totp.generate() });
    await leave();
    await byPasskey.waitFor();
    await typePassword();
    await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
    await device.touches(true);
    await page.getByRole('button', { name: 'Usar chave de acesso' }).click();
    await page.getByText('Login realizado com sucesso!').waitFor();

    await page.goto('/ajustes/seguranca');
    await page.getByRole('button', { name: 'Remover Celular' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.getByText('Chave de acesso removida').waitFor();
    // The session that began with it needs the code of the app again.
    await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor();
  });
});
