import { expect, it } from '@jest/globals';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import { providerTxid } from '../../backend/modules/charges/provider-code.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import { startApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { startPixProvider } from '../support/pix-provider.js';

const phone = { width: 390, height: 844 };

describeWithChromium('a payment provider on the phone', () => {
  it('can be connected, shows its errors, and its code is the one that is paid', async () => {
    const provider = await startPixProvider();
    const app = await startApp({ env: { PIX_TEST_ORIGIN: provider.origin } });
    const trainer = await signUp(app);
    await trainer.api.put('/settings/pix', {
      tipo: 'email',
      chave: 'pix@exemplo.com.br',
      nome: 'Carla',
      cidade: 'Recife',
    });
    const student = (await trainer.api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655' })).body
      .id;
    const { clientId, clientSecret, cobs } = Object.assign(provider.account(), { clientSecret: 'segredo' });
    const { page, complaints } = await signedInWindow(app, trainer, phone);
    await goLive(page, '/ajustes/pix');

    const connect = async (secret: string) => {
      await page.getByRole('button', { name: 'Conectar provedor' }).click();
      await page.getByLabel('Endereço da API Pix').fill(provider.urlApi);
      await page.getByLabel('Endereço do token (OAuth 2)').fill(provider.urlToken);
      await page.getByLabel('Client ID').fill(clientId);
      await page.getByLabel('Client Secret', { exact: true }).fill(secret);
      await page.getByRole('button', { name: 'Conectar', exact: true }).click();
    };
    await connect('errado');
    await page.getByText('o Client ID ou o Client Secret foi recusado').waitFor();
    await page.getByRole('button', { name: 'Desconectar' }).click();
    await connect(clientSecret);
    await page.getByText(/Conexão em ordem/).waitFor();
    await page.getByRole('button', { name: 'Testar conexão' }).click();
    await page.getByText('Testando a conexão').waitFor();

    const terms = { descricao: 'Pacote 10', valor: 60_000, vencimento: '2030-01-07' };
    const id: string = (await trainer.api.post('/charges', { student_id: student, ...terms })).body.id;
    await page.getByText('1 cobrança com código do provedor').waitFor();
    const { pixCopiaECola } = cobs.get(providerTxid(id, 0))!;
    await goLive(page, `/cobrancas?cobranca=${id}`);
    await page.getByText('O código Pix é do seu provedor: o pagamento dá baixa sozinho.').waitFor();
    const { link } = (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
    const payer = await openScreen(app, phone);
    await payer.page.goto(new URL(link!).pathname);
    await payer.page.getByText(pixCopiaECola).waitFor();
    expect([complaints, payer.complaints]).toEqual([[], []]);
  });
});
