import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import type { Charge, ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { TestApp } from '../support/app.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectToLookWell } from '../support/written-screen.js';

const phone = { width: 390, height: 844 };
let app: TestApp;
let trainer: Trainer;
let studentId: string;
let own: Screen;

describeWithChromium('a charge on the phone', () => {
  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const planId = (await trainer.api.post('/plans', { nome: 'Pacote 10', valor: 60_000, creditos: 10 })).body
      .id;
    studentId = (
      await trainer.api.post('/students', {
        nome: 'Ana Prado',
        whatsapp: '(11) 98877-6655',
        plano_id: planId,
      })
    ).body.id;
    own = await signedInWindow(app, trainer, phone);
  });

  const credits = async () => (await trainer.api.get<Student>(`/students/${studentId}`)).body.creditos;

  it('goes from the Pix key to the link, to the payer, and to a payment with its credits', async () => {
    const { page, complaints } = own;
    await goLive(page, '/ajustes/pix');
    await page.getByLabel('Chave', { exact: true }).fill('(11) 94321-432');
    await page.getByLabel('Cidade').fill('São Paulo');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Informe o celular com DDD, como (11) 99999-9999').waitFor();
    await page.getByLabel('Chave', { exact: true }).fill('(11) 94321-4321');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Chave Pix salva').waitFor();

    await goLive(page, '/alunos');
    await page.getByRole('button', { name: 'Mais ações de Ana Prado' }).click();
    await page.getByRole('menuitem', { name: 'Cobrar' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('Ana Prado').waitFor();
    await eventually(() => sheet.getByLabel('Valor (R$)').inputValue(), '600,00');
    await sheet.getByLabel('Plano').selectOption('');
    await sheet.getByRole('button', { name: 'Gerar link de pagamento' }).click();
    await sheet
      .getByText('Você precisa selecionar um plano para gerar o link de pagamento.')
      .first()
      .waitFor();
    await sheet.getByLabel('Plano').selectOption({ index: 1 });
    await sheet.getByRole('button', { name: 'Gerar link de pagamento' }).click();
    await page.getByText('Link criado!').waitFor();
    const send = sheet.getByRole('link', { name: 'WhatsApp' });
    const text = new URL((await send.getAttribute('href'))!).searchParams.get('text')!;
    expect(text).toMatch(/^Oi, Ana! Segue a cobrança de R\$\s600,00 \(Pacote 10\), com vencimento em /);

    const payer = await openScreen(app, phone);
    await payer.page.goto(new URL(text.split(' ').at(-1)!).pathname);
    await payer.page.getByRole('heading', { name: 'Olá, Ana!' }).waitFor();
    await payer.page.getByRole('img', { name: 'QR Code do Pix' }).waitFor();
    await payer.page.getByText(/^000201.*5406600\.00/).waitFor();
    await payer.page.getByRole('button', { name: 'Já paguei' }).click();
    await payer.page.getByText(/Aviso enviado\. .* confirma/).waitFor();

    // The change is shown in the open sheet without a reload.
    await sheet.getByText('Avisou que pagou').waitFor();
    await sheet.getByText(/600,00, Pix, hoje/).waitFor();
    await sheet.getByRole('button', { name: 'Marcar como paga' }).click();
    await page.getByText(/600,00 recebidos e 10 créditos adicionados\./).waitFor();
    await sheet.getByText('Paga', { exact: true }).waitFor();
    const paid = () => trainer.api.get<ChargePage>('/charges', { query: { situacao: 'paga' } });
    await eventually(async () => (await paid()).body.total, { quantidade: 1, valor: 60_000, falta: 0 });
    await eventually(credits, 10);

    // The received amount opens its lines and gets a receipt, which anybody who has it can verify.
    await goLive(page, '/financeiro');
    await page.getByRole('button', { name: /^Recebido: R\$\s600,00/ }).click();
    await sheet.getByText('Soma das linhas').waitFor();
    await sheet.getByText('Ana · Pacote 10').waitFor();
    await sheet.getByRole('button', { name: 'Fechar' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Ana · Pacote 10/ }).click();
    await sheet.getByRole('button', { name: 'Emitir recibo' }).click();
    await sheet.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await sheet.getByLabel('Cidade').fill('São Paulo');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await sheet.getByText(/^Ana Prado · Pacote 10 · /).waitFor();
    await sheet.getByLabel('CPF ou CNPJ de quem pagou').fill('111.444.777-35');
    await sheet.getByRole('button', { name: 'Emitir recibo' }).click();
    await sheet.getByRole('heading', { name: 'Recibo nº 1' }).waitFor();
    const link = new URL((await sheet.getByRole('link', { name: 'Abrir recibo' }).getAttribute('href'))!);
    await payer.page.goto(link.pathname);
    await expectToLookWell(payer.page);
    const download = payer.page.waitForEvent('download');
    await payer.page.getByRole('link', { name: 'Baixar recibo (PDF)' }).click();
    const buffer = await readFile(await (await download).path());
    const code = (await sheet.getByText(/^R(-[A-Z\d]{4}){4}$/).innerText()).trim();
    await payer.page.goto('/verificar');
    await payer.page.getByLabel('Código de verificação').fill(code.toLowerCase());
    await payer.page.getByRole('button', { name: 'Verificar' }).click();
    await payer.page.getByText('Recibo válido').waitFor();
    await payer.page.goto('/verificar');
    await payer.page
      .getByLabel('Escolher PDF')
      .setInputFiles({ name: 'recibo.pdf', mimeType: 'application/pdf', buffer });
    await payer.page.getByText('Recibo válido').waitFor();
    expect(await payer.page.locator('body').innerText()).not.toMatch(/Ana|Prado|111\.444/);
    expect(complaints).toEqual([]);
    // The file is not a signed copy.
    expect(payer.complaints).toEqual([expect.stringMatching(/^404 .*\/contract-files\//)]);
  });

  it('reads a bank statement on the device, and a line pays a charge, once', async () => {
    const terms = { descricao: 'Avaliação', valor: 45_000, vencimento: '2025-11-05' };
    const { id } = (await trainer.api.post('/charges', { student_id: studentId, ...terms })).body;
    const { page, complaints } = own;
    await goLive(page, '/financeiro/extrato');
    const choose = (name: string, text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await choose('foto.ofx', 'nada disso');
    await page.getByText('Não deu para ler o extrato').waitFor();
    await choose('extrato.ofx', OFX);
    await page.getByText('2 linhas lidas').waitFor();
    await page.getByText('Quase certo').waitFor();
    await page.getByRole('button', { name: /^Dar baixa: Ana Prado, R\$\s450,00/ }).click();
    await page.getByText('Cobrança paga', { exact: true }).waitFor();
    await page.getByText('Registrada', { exact: true }).waitFor();
    const situacao = async () => (await trainer.api.get<Charge>(`/charges/${id}`)).body.situacao;
    await eventually(situacao, 'paga');
    const charges = await page.context().newPage();
    await charges.goto('/cobrancas?situacao=paga&mes=2030-12');
    await charges.getByText('Nenhuma cobrança paga').waitFor();
    await charges.getByLabel('Mês do vencimento').selectOption('Todos os meses');
    await charges.getByRole('link', { name: /Ana Prado.*Avaliação.*Paga/ }).waitFor();
    await charges.close();

    // The bank's file in the other format has the same line.
    await choose('extrato.csv', 'Data;Histórico;Valor\n04/11/2025;PIX ANA PRADO;450,00\n');
    await page.getByText(/^Uma linha deste dia e valor já foi registrada/).waitFor();
    await page.getByRole('button', { name: 'Ignorar' }).click();
    await page.getByText('Ignorada', { exact: true }).waitFor();
    // Toasts cover the end of the page, and stay while the pointer is over them.
    await page.getByRole('button', { name: 'Não ignorar' }).press('Enter');
    await page.getByRole('button', { name: 'É outro lançamento' }).press('Enter');
    await page.getByRole('button', { name: 'Registrar como receita' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

const OFX = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKACCTFROM><BANKID>0341<ACCTID>12345</BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20251104120000<TRNAMT>450.00<FITID>N1<MEMO>PIX RECEBIDO ANA PRADO</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20251103120000<TRNAMT>-35.90<FITID>N2<MEMO>TARIFA</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
