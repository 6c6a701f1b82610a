import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { openSignedIn } from './trainer-screen.js';

describeWithChromium('a contract', () => {
  let app: TestApp;
  let trainer: Trainer;
  let desk: Screen;
  let phone: Screen;
  let token: string;
  let file: string;
  let code: string;
  const email = 'bia@exemplo.com.br';

  beforeAll(async () => {
    app = await startApp();
    trainer = await signUp(app, { nome: 'Carla Dias' });
    await trainer.api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321', email });
    desk = await openSignedIn(app, trainer, { width: 1440, height: 900 });
    phone = await openScreen(app);
  });

  it('is begun with a template, and sent', async () => {
    const { page } = desk;
    await page.goto('/ajustes/contratos-termos/novo');
    await page.getByRole('button', { name: 'Contrato de prestação de serviço' }).click();
    await page.getByRole('textbox', { name: 'Texto do contrato' }).getByText('1. Partes').waitFor();
    await page.getByLabel('Pedir um código por e-mail para assinar').check();
    await page.getByLabel('Pedir a data de nascimento').check();
    await page.getByRole('button', { name: 'Criar contrato' }).click();
    await page.getByRole('button', { name: 'Enviar para assinar' }).click();
    await page.getByLabel('Bia Lima').check();
    await page.getByRole('button', { name: 'Enviar para 1 aluno' }).click();
    const whatsApp = page.getByRole('link', { name: 'Enviar WhatsApp a Bia Lima' });
    const text = decodeURIComponent((await whatsApp.getAttribute('href'))!);
    token = /\/assinar\/(\S+)/.exec(text)![1]!;
    expect(await axeFindings(page)).toEqual([]);
  });

  it("is signed by a minor's guardian on the phone, once it was read and the mailed code confirmed", async () => {
    const { page } = phone;
    await page.goto(`/assinar/${token}`);
    await page.getByText('Aguardando Assinatura').waitFor();
    const sign = page.getByRole('button', { name: 'Assinar contrato' });
    expect(await sign.isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Texto do contrato' }).press('End');
    await page.getByLabel('Nome completo do aluno *').fill('Bia Lima');
    await page.getByLabel('Data de nascimento do aluno *').fill('04/05/2015');
    await page.getByLabel('CPF do aluno *').fill('529.982.247-25');
    await page.getByLabel('Nome completo do responsável *').fill('Márcia Lima');
    await page.getByLabel('CPF do responsável *').fill('111.444.777-35');
    await page.getByLabel('Relação com o aluno *').fill('Mãe');
    await page.getByRole('button', { name: 'Enviar código' }).click();
    await page.getByLabel('Código do e-mail').fill((await nextMail(email)).code);
    await page.getByRole('button', { name: 'Confirmar código' }).click();
    await page.getByText('Código confirmado').waitFor();
    for (const consent of await page.getByRole('checkbox').all()) await consent.check();
    expect(await axeFindings(page)).toEqual([]);
    await sign.click();
    await page.getByText('Márcia Lima (Mãe)').waitFor();
    // The trainer's page hears of it by itself.
    await desk.page.getByText('Assinado', { exact: true }).waitFor();
  });

  it('has a PDF, which is verified on the device, and told from a changed one', async () => {
    const { page } = phone;
    code = await page.locator('a[href^="/verificar/"]').innerText();
    await eventually(
      async () => (await page.request.get(`/api/v1/signature-links/${token}/pdf`)).status(),
      200,
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar PDF' }).click(),
    ]);
    file = await download.path();
    await page.goto(`/verificar/${code}`);
    await page.getByText('Assinatura válida').waitFor();
    const choose = async (path: string) => {
      await page.goto('/verificar');
      await page.locator('input[type=file]').setInputFiles(path);
    };
    await choose(file);
    await page.getByText('Assinatura válida').waitFor();
    await page.getByText('B. L.').waitFor();
    const changed = `${file}.pdf`;
    await writeFile(changed, Buffer.concat([await readFile(file), Buffer.from('\n')]));
    await choose(changed);
    await page.getByText('Arquivo alterado').waitFor();
    await choose('package.json');
    await page.getByText('Arquivo desconhecido').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
