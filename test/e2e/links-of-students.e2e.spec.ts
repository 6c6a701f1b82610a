import { beforeAll, expect, it } from '@jest/globals';
import { ReminderJob } from '../../backend/modules/charges/reminders.job.js';
import { consents, type RequestPage, type Signable } from '../../backend/modules/contracts/contracts.api.js';
import type { TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen } from '../support/browser.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const email = 'bia-lima@exemplo.com.br';
const CPF = '529.982.247-25';

describeWithChromium('a student without an account', () => {
  const clock = new SetClock(new Date('2026-11-21T13:00:00Z'));
  let app: TestApp;
  let trainer: Trainer;
  let bia: string;

  beforeAll(async () => {
    app = await sharedApp(clock);
    trainer = await signUp(app, { nome: 'Carla Dias' });
    bia = (await trainer.api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321', email })).body
      .id;
  });

  it('switches off a kind of mails by the link in one, and on again', async () => {
    const due = { descricao: 'Aula', valor: 5_000, vencimento: '2026-11-21' };
    await trainer.api.post('/charges', { student_id: bia, ...due });
    await app.run(ReminderJob);
    const { text } = await nextMail(email);
    const { page, complaints } = await openScreen(app);
    await page.goto(/\/avisos\/[\w-]{60,}$/m.exec(text)![0]);
    await page.getByText('Você recebe lembretes de pagamento').waitFor();
    await page.getByRole('button', { name: 'Não receber mais: lembretes' }).click();
    await page.getByText('Você não recebe mais lembretes de pagamento').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Voltar a receber' }).click();
    await page.getByText('Você recebe lembretes de pagamento').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows a signed contract with the CPF of its signer', async () => {
    const text = { titulo: 'Termo', conteudo: '<p>Eu, {{aluno}}, CPF {{cpf}}.</p>' };
    const { id } = (await trainer.api.post('/contracts', text)).body;
    await trainer.api.post(`/contracts/${id}/send`, { alunos: [bia], canal: 'link' });
    const { items } = (await trainer.api.get<RequestPage>(`/contracts/${id}/requests`)).body;
    const path = new URL(items[0]!.url!).pathname;
    const token = path.split('/').at(-1)!;
    const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
    const stranger = new Client(app.url);
    await stranger.post('/signature-links/sign', {
      ...{ token, nome: 'Bia Lima', cpf: CPF, telefone: '(11) 94321-4321', ...agreed },
    });
    const made = async () => (await stranger.get<Signable>(`/signature-links/${token}`)).body.prova?.tem_pdf;
    await eventually(made, true);

    const { page } = await openScreen(app);
    await page.goto(path);
    await page.getByText('Contrato assinado', { exact: true }).waitFor();
    expect(await page.getByText(/Bia|529/).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('CPF de quem assinou').fill('153.509.460-56');
    await page.getByRole('button', { name: 'Ver contrato' }).click();
    await page.getByText('Este não é o CPF de quem assinou').first().waitFor();
    await page.getByLabel('CPF de quem assinou').fill(CPF);
    await page.getByRole('button', { name: 'Ver contrato' }).click();
    await page.getByText(`Eu, Bia Lima, CPF ${CPF}.`).waitFor();
    await page.getByText('Declarações aceitas').click();
    await page.getByText(consents.metodo).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contrato-.*\.pdf$/);
    await page.context().close();
  });
});
