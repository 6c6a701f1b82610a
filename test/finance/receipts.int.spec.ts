import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import type { Charge } from '../../backend/modules/charges/charges.api.js';
import type { OwnPayments } from '../../backend/modules/receipts/own-payments.api.js';
import type { ShownReceipt, ShownReceiptIssuer } from '../../backend/modules/receipts/receipts.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { MailAddresses } from '../../backend/platform/mail/mail-addresses.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { expectDeadLinks, expectPreview, writtenPage } from '../support/written-page.js';

const clock = new SetClock(new Date());
let trainer: Trainer;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  trainer = await signUp(app);
});

const issuer = {
  nome: 'Estúdio Araújo',
  documento: '11.222.333/0001-81',
  cref: '012345-G/SP',
  cidade: 'São Paulo',
};
const wanted = {
  nome: 'João Conceição',
  cpf: '111.444.777-35',
  descricao: 'Mensalidade de novembro',
  de: '2026-11-01',
  ate: '2026-11-30',
};
const entry = { tipo: 'receita', descricao: 'Mensalidade', metodo_pagamento: 'pix', data: '2026-11-20' };
const record = async (valor = 123_456, more: object = {}) =>
  (await trainer.api.post('/transactions', { ...entry, valor, ...more })).body.id;
const introduce = () => trainer.api.put('/settings/receipts', issuer);
const issue = async (id: string, more: object = {}) =>
  (
    await trainer.api.post<{ id: string; numero: number }>(`/transactions/${id}/receipt`, {
      ...wanted,
      ...more,
    })
  ).body;
const shown = async (id: string) => (await trainer.api.get<ShownReceipt>(`/transactions/${id}/receipt`)).body;
const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await trainer.api.request<ProblemBody>(method, `/api/v1${path}`, { body });
  return [answer.status, answer.body.code];
};
const fileAt = async (link: string) => {
  const answer = await fetch(`${app.url}${new URL(link).pathname}.pdf`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const tokenIn = (link: string) => link.split('/').at(-1)!;
const pageAt = (link: string) => writtenPage(app, new URL(link).pathname);
/** The text of a file, without its line breaks. */
const printed = (bytes: Buffer) => textOf(bytes).replace(/\s/g, '');
const verify = (code: string) => writtenPage(app, `/verificar/${encodeURIComponent(code)}`);

describe('a receipt', () => {
  it("begins with the CPF of the student's record, and its issuer with the one of the trainer's account", async () => {
    const own = cpf.generate();
    trainer = await signUp(app, { cpf: own });
    expect((await trainer.api.get<ShownReceiptIssuer>('/settings/receipts')).body).toEqual({
      emitente: null,
      nome: 'Ana Personal',
      cpf: own.replace(/\D/g, ''),
    });
    await introduce();
    const student_id = (
      await trainer.api.post('/students', {
        nome: 'Bia Lima',
        whatsapp: '(11) 98877-6655',
        cpf: '111.444.777-35',
      })
    ).body.id;
    const [first, second] = [await record(1_000, { student_id }), await record(2_000, { student_id })];
    expect((await shown(first)).sugestao).toMatchObject({ nome: 'Bia Lima', cpf: '11144477735' });
    await issue(first, { nome: 'Mãe da Bia', cpf: null });
    expect((await shown(second)).sugestao).toMatchObject({ nome: 'Mãe da Bia', cpf: '' });
  });

  it('is numbered, does not change, and is opened by its link', async () => {
    await introduce();
    const id = await record();
    expect(await shown(id)).toEqual({
      recibo: null,
      partes: [],
      sugestao: {
        payer_id: null,
        nome: '',
        cpf: '',
        descricao: 'Mensalidade',
        de: '2026-11-01',
        ate: '2026-11-30',
      },
    });
    expect(await issue(id)).toEqual({ id, numero: 1 });
    const { recibo } = await shown(id);
    expect(recibo).toEqual({
      id,
      numero: 1,
      ...wanted,
      cpf: '11144477735',
      valor: 123_456,
      data: '2026-11-20',
      metodo_pagamento: 'pix',
      emitido_em: expect.any(String),
      cancelado_em: null,
      codigo: expect.stringMatching(/^R(-[A-Z2-9]{4}){4}$/),
      lacre: expect.stringMatching(/^L(-[A-Z2-9]{4}){4}$/),
      link: expect.stringMatching(/\/recibo\/[\w-]{32}$/),
      whatsapp: null,
      por_email: false,
    });
    const { answer, bytes } = await fileAt(recibo!.link);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe('inline; filename="recibo-1.pdf"');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.length).toBeLessThan(60_000);
    for (const said of [
      'Recibo nº 1',
      'R$ 1.234,56',
      'João Conceição',
      'CPF 111.444.777-35',
      recibo!.codigo,
      'mil duzentos e trinta e quatro reais e cinquenta e seis centavos',
      'Mensalidade de novembro',
      '01/11/2026 a 30/11/2026',
      '20/11/2026',
      'Pix',
      issuer.nome,
      issuer.documento,
      issuer.cref,
      issuer.cidade,
      `/verificar/${recibo!.codigo}`,
    ])
      expect(printed(bytes)).toContain(said.replace(/\s/g, ''));
  });

  it("has a page for its link's holder, which messengers show without the payer, and which leads to the file", async () => {
    await introduce();
    const id = await record();
    await issue(id);
    const { recibo } = await shown(id);
    const token = tokenIn(recibo!.link);
    const page = await pageAt(recibo!.link);
    expect([page.status, page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    for (const said of [
      `Recibo de R$\u00a01.234,56 Nº 1, emitido por ${issuer.nome} em `,
      'Pago em 20/11/2026 Pix',
      'Quem pagou João Conceição',
      'Referente a Mensalidade de novembro 01/11/2026 a 30/11/2026',
      `Quem recebeu ${issuer.nome} CREF ${issuer.cref}`,
      `Código do recibo ${recibo!.codigo}`,
      `Lacre do pagamento ${recibo!.lacre}`,
    ])
      expect(page.words).toContain(said);
    // Documents are in the file alone.
    expect(page.text).not.toMatch(/111\.?444|11\.?222\.?333/);
    expectPreview(
      page,
      token,
      `Recibo de R$\u00a01.234,56 · ${issuer.nome}`,
      'Mensalidade de novembro · Pago em 20/11/2026',
    );
    expect(page.text.slice(0, page.text.indexOf('<body'))).not.toMatch(/João|Conceição/);
    const links = [...page.text.slice(page.text.indexOf('<main')).matchAll(/href="([^"]+)"/g)];
    expect(links.map(([, href]) => href)).toEqual([
      `/recibo/${token}.pdf`,
      `/verificar/${recibo!.codigo}`,
      `/verificar/${recibo!.lacre}`,
      '/',
    ]);
    expect((await verify(recibo!.lacre)).words).toContain('Pagamento registrado');
    // The printed code opens neither.
    await expectDeadLinks(app, '/recibo', 'a'.repeat(32), recibo!.codigo, `${token}.pdf.pdf`);
    await expectDeadLinks(app, '/recibo', `${'a'.repeat(32)}.pdf`, `${recibo!.codigo}.pdf`);
  });

  it('that is cancelled by a correction leads to the one that is issued for the same payer instead', async () => {
    await introduce();
    const correct = async (id: string) =>
      (
        await trainer.api.post<{ id: string }>(`/transactions/${id}/correct`, {
          ...entry,
          valor: 90_000,
          motivo: 'Valor errado',
        })
      ).body.id;
    const [own, other] = [await record(), await record()];
    for (const id of [own, other]) await issue(id);
    const [of, ofOther] = [(await shown(own)).recibo!, (await shown(other)).recibo!];
    const [corrected, correctedOther] = [await correct(own), await correct(other)];
    expect((await pageAt(of.link)).words).not.toContain('Ver o recibo');
    await issue(corrected);
    await issue(correctedOther, { nome: 'Bia Lima' });
    // Waits for the last receipt; a stranger has no position to wait for.
    const next = (await shown(corrected)).recibo!.link;
    const { words, text } = await pageAt(of.link);
    expect(words).toContain('Ver o recibo nº 3, que vale no lugar deste');
    expect(text).toContain(`href="${new URL(next).pathname}"`);
    expect((await pageAt(next)).words).toContain('Recibo de R$\u00a0900,00');
    expect((await pageAt(ofOther.link)).words).not.toContain('Ver o recibo');
  });

  it('gets the next number without gaps, however many are issued concurrently and whatever is refused', async () => {
    await introduce();
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => record(1_000 + index)));
    const expense = await record(500, { tipo: 'despesa' });
    const answers = await Promise.all([
      ...ids.map((id) => trainer.api.request('POST', `/api/v1/transactions/${id}/receipt`, { body: wanted })),
      ...ids.map((id) => trainer.api.request('POST', `/api/v1/transactions/${id}/receipt`, { body: wanted })),
      trainer.api.request('POST', `/api/v1/transactions/${expense}/receipt`, { body: wanted }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 8 }, () => 201),
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const receipts = await Promise.all(ids.map(shown));
    const numbers = receipts.map(({ recibo }) => recibo!.numero).toSorted((a, b) => a - b);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(receipts.map(({ recibo }) => recibo!.codigo)).size).toBe(8);

    // Another trainer begins at one.
    trainer = await signUp(app);
    await introduce();
    expect(await issue(await record())).toMatchObject({ numero: 1 });
  });

  it('is refused before the trainer has set the issuer, for a despesa, for a reversed receita, and a second time', async () => {
    const id = await record();
    expect(await refused('POST', `/transactions/${id}/receipt`, wanted)).toEqual([
      409,
      'receipts.issuer_missing',
    ]);
    await introduce();
    const expense = await record(100, { tipo: 'despesa' });
    expect(await refused('POST', `/transactions/${expense}/receipt`, wanted)).toEqual([
      409,
      'receipts.not_a_receita',
    ]);
    const reversed = await record();
    await trainer.api.post(`/transactions/${reversed}/reverse`, { motivo: 'em dobro' });
    expect(await refused('POST', `/transactions/${reversed}/receipt`, wanted)).toEqual([
      409,
      'receipts.reversed',
    ]);
    await issue(id);
    expect(await refused('POST', `/transactions/${id}/receipt`, wanted)).toEqual([
      409,
      'receipts.already_issued',
    ]);
    const ahead = await record(100, { data: '2026-11-21' });
    clock.at = new Date('2026-11-21T02:00:00Z');
    expect(await refused('POST', `/transactions/${ahead}/receipt`, wanted)).toEqual([
      422,
      'finance.after_today',
    ]);
    expect(await refused('POST', `/transactions/${randomUUID()}/receipt`, wanted)).toEqual([
      404,
      'finance.transaction_not_found',
    ]);
    const bad = { ...wanted, cpf: '111.444.777-36' };
    expect(await refused('POST', `/transactions/${id}/receipt`, bad)).toEqual([400, 'validation']);
    expect(await refused('POST', `/transactions/${id}/receipt`, { ...wanted, ate: '2026-10-01' })).toEqual([
      422,
      'broken_rule',
    ]);
    expect(
      await refused('PUT', '/settings/receipts', { ...issuer, documento: '11.222.333/0001-82' }),
    ).toEqual([400, 'validation']);
  });

  it('is cancelled by the reversing entry, which its file and its code show', async () => {
    await introduce();
    const id = await record();
    await issue(id);
    const before = (await shown(id)).recibo!;
    const valid = await verify(before.codigo.toLowerCase().replaceAll('-', ' '));
    for (const said of ['Recibo válido', 'Número 1 ', 'R$\u00a01.234,56', '20/11/2026', 'Quem pagou J. C.'])
      expect(valid.words).toContain(said);
    expect(valid.text).not.toMatch(/João|Conceição|444\.?777/);
    const { bytes: first } = await fileAt(before.link);
    await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' });
    const after = (await shown(id)).recibo!;
    expect(after.cancelado_em).not.toBeNull();
    expect((await verify(before.codigo)).words).toContain('Recibo cancelado');
    const page = await pageAt(before.link);
    expect(page.words).toMatch(
      /1\.234,56 foi estornado em \d\d\/\d\d\/\d{4}\. Este recibo não tem mais validade\./,
    );
    expectPreview(
      page,
      tokenIn(before.link),
      `Recibo cancelado · ${issuer.nome}`,
      'Este recibo não tem mais validade.',
    );
    const { bytes: cancelled } = await fileAt(before.link);
    expect(printed(first)).not.toContain('CANCELADO');
    expect(printed(cancelled)).toMatch(/CANCELADO.*foiestornadaem\d\d\/\d\d\/\d{4}.*nãotemmaisvalidade/);
    const unknown = await verify('R-AAAA-AAAA-AAAA-AAAA');
    expect(unknown.status).toBe(404);
    expect(unknown.words).toContain('Nenhum recibo tem este código.');
    await expectRebuildToEqualLive(app, 'receipts');
  });

  it("stands in the student's payments beside those without one, charged or not", async () => {
    await introduce();
    const student = (await trainer.api.post('/students', { nome: 'Ana Prado', telefone: '11988776655' })).body
      .id;
    const first = await record(9_000, { student_id: student, data: '2026-11-18' });
    const second = await record(8_000, { student_id: student, descricao: 'Avaliação' });
    await record(7_000);
    await issue(first);
    const { items } = (await trainer.api.get<OwnPayments>(`/students/${student}/payments`)).body;
    expect(items).toMatchObject([
      { id: second, valor: 8_000, descricao: 'Avaliação', recibo: null },
      { id: first, valor: 9_000, descricao: wanted.descricao, recibo: { numero: 1 } },
    ]);
  });

  it('proposes the last payer, and is sent to the student by mail and WhatsApp', async () => {
    await introduce();
    const student = (
      await trainer.api.post('/students', {
        nome: 'Ana Prado',
        whatsapp: '(11) 98877-6655',
        email: 'ana@exemplo.com.br',
      })
    ).body.id;
    const paid = async (valor: number) => {
      const charge = (
        await trainer.api.post('/charges', {
          student_id: student,
          descricao: 'Aula',
          valor,
          vencimento: '2026-11-25',
        })
      ).body.id;
      const payment = { valor, data: '2026-11-20', metodo_pagamento: 'dinheiro' };
      await trainer.api.post(`/charges/${charge}/payments`, payment);
      return (await trainer.api.get<Charge>(`/charges/${charge}`)).body.pagamentos[0]!.transaction_id;
    };
    const [first, second] = [await paid(9_000), await paid(8_000)];
    expect((await shown(first)).sugestao).toMatchObject({ nome: 'Ana Prado', cpf: '', descricao: 'Aula' });
    await issue(first, { nome: 'Mãe da Ana' });
    expect((await shown(second)).sugestao).toMatchObject({ nome: 'Mãe da Ana', cpf: '11144477735' });
    const { recibo } = await shown(first);
    expect(recibo).toMatchObject({
      por_email: true,
      whatsapp: expect.stringContaining('wa.me/5511988776655'),
    });
    expect(decodeURIComponent(recibo!.whatsapp!)).toContain(
      `recibo nº 1, de R$\u00a090,00 · lacre ${recibo!.lacre}: ${recibo!.link}`,
    );

    await trainer.api.post(`/transactions/${first}/receipt/send`, { canal: 'email' });
    await trainer.api.post(`/transactions/${first}/receipt/send`, { canal: 'whatsapp' });
    const mails = () =>
      database.query(`select address_hash from mails where tenant_id = $1 and kind = 'receipts.receipt'`, [
        trainer.tenantId,
      ]);
    // To the address that was counted.
    await eventually(mails, [{ address_hash: app.nest.get(MailAddresses).hashOf('ana@exemplo.com.br') }]);
    // The same again within an hour is refused before it is recorded.
    expect(await refused('POST', `/transactions/${first}/receipt/send`, { canal: 'email' })).toEqual([
      409,
      'mail_withheld',
    ]);
    const history = await trainer.api.get<{ items: { texto: string }[] }>('/history', {
      query: { subject: `transaction:${first}` },
    });
    expect(history.body.items.map(({ texto }) => texto)).toEqual(
      expect.arrayContaining(['Emitiu o recibo nº 1', 'Enviou o recibo por e-mail']),
    );
    await expectRebuildToEqualLive(app, 'receipts');

    const entryOfNobody = await record();
    await issue(entryOfNobody);
    expect(await refused('POST', `/transactions/${entryOfNobody}/receipt/send`, { canal: 'email' })).toEqual([
      409,
      'receipts.no_address',
    ]);
  });
});

it('the receitas of a month are exported for the Carnê-Leão with their payers, without reversed ones', async () => {
  await introduce();
  const id = await record();
  await issue(id);
  await record(5_000, { descricao: '=1+1', data: '2026-11-21' });
  await trainer.api.post(`/transactions/${await record(7_000)}/reverse`, { motivo: 'em dobro' });
  await record(900, { tipo: 'despesa' });
  await record(800, { data: '2026-10-31' });
  const { id: student_id } = (
    await trainer.api.post('/students', { nome: 'Ana Prado', telefone: '11988776655' })
  ).body;
  const charge = { student_id, descricao: 'Avaliação física', valor: 6_000, vencimento: '2026-11-25' };
  const { id: charge_id } = (await trainer.api.post('/charges', charge)).body;
  const payment = { valor: 6_000, data: '2026-11-21', metodo_pagamento: 'pix' };
  await trainer.api.post(`/charges/${charge_id}/payments`, payment);
  // Read first, so that the sheet contains the writes.
  await trainer.api.get('/transactions', { query: { month: '2026-11' } });
  const answer = await fetch(`${app.url}/api/v1/finance/months/2026-11/carne-leao`, {
    headers: { authorization: `Bearer ${trainer.accessToken}` },
  });
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="carne-leao-2026-11.csv"');
  expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(
    '\uFEFFData;Valor;Quem pagou;CPF;Referente a;Recibo\r\n' +
      '20/11/2026;1234,56;João Conceição;111.444.777-35;Mensalidade de novembro;1\r\n' +
      "21/11/2026;50,00;;;'=1+1;\r\n" +
      '21/11/2026;60,00;Ana Prado;;Avaliação física;\r\n',
  );
});

it('a month is exported as the Carnê-Leão Web imports it, with the documents of the receipts', async () => {
  await introduce();
  const read = async (file: string) => {
    const answer = await trainer.api.request<unknown>(
      'GET',
      `/api/v1/finance/months/2026-11/carne-leao-web/${file}`,
    );
    return answer.status;
  };
  expect([await read('rendimentos'), await read('pagamentos'), await read('outro')]).toEqual([404, 404, 400]);
  await issue(await record());
  const company = await record(5_000, { data: '2026-11-21' });
  await issue(company, { nome: 'Estúdio', cpf: '12.ABC.345/01DE-35', descricao: 'Aula; em grupo' });
  const { recibo } = await shown(company);
  expect(printed((await fileAt(recibo!.link)).bytes)).toContain('CNPJ12.ABC.345/01DE-35');
  expect(
    await refused('POST', `/transactions/${await record()}/receipt`, {
      ...wanted,
      cpf: '11.222.333/0001-82',
    }),
  ).toEqual([400, 'validation']);
  await trainer.api.post(`/transactions/${await record(7_000)}/reverse`, { motivo: 'em dobro' });
  const expense = { tipo: 'despesa', descricao: 'Sala' };
  await record(180_000, { ...expense, categoria: 'aluguel' });
  for (const categoria of ['transporte', 'impostos', null]) await record(100, { ...expense, categoria });
  await trainer.api.get('/transactions', { query: { month: '2026-11' } });
  const text = async (file: string) => {
    const answer = await fetch(`${app.url}/api/v1/finance/months/2026-11/carne-leao-web/${file}`, {
      headers: { authorization: `Bearer ${trainer.accessToken}` },
    });
    expect(answer.headers.get('content-disposition')).toContain(`-${file.split('?')[0]}-2026-11-1.csv`);
    return Buffer.from(await answer.arrayBuffer()).toString('latin1');
  };
  expect(await text('rendimentos')).toBe(
    '20/11/2026;R01.001.001;224;1234,56;;Mensalidade de novembro;PF;11144477735;;S\r\n' +
      '20/11/2026;R01.001.001;224;1234,56;;Mensalidade;PF;;;S\r\n' +
      '21/11/2026;R01.001.001;224;50,00;;Aula em grupo;PJ;;;;12ABC34501DE35;N',
  );
  expect(await text('pagamentos')).toBe('20/11/2026;P10.01.00002;1800,00;Sala');

  // The program takes a thousand lines at once.
  await database.query(
    `insert into read.transactions select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
     from read.transactions t, generate_series(1, 1000) where t.id = $1`,
    [company],
  );
  const part = async (parte: number) => {
    const path = '/api/v1/finance/months/2026-11/carne-leao-web/rendimentos';
    return String((await trainer.api.request('GET', path, { query: { parte: String(parte) } })).body).split(
      '\r\n',
    );
  };
  const [first, second] = [await part(1), await part(2)];
  expect([first.length, second.length]).toEqual([1000, 3]);
});

it('the filtered history is a sheet, and the month a file to print', async () => {
  await introduce();
  const id = await record();
  await issue(id);
  await record(5_000, { tipo: 'despesa', descricao: '=1+1', categoria: 'aluguel', data: '2026-11-21' });
  const reversed = await record(7_000);
  await trainer.api.post(`/transactions/${reversed}/reverse`, { motivo: 'em dobro' });
  // Read first, so that the sheet contains the writes.
  await trainer.api.get('/transactions', { query: { month: '2026-11' } });
  const read = (path: string) =>
    fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${trainer.accessToken}` } });
  const sheet = await read('/transactions/sheet?month=2026-11&min=5000&max=7000');
  expect(sheet.headers.get('content-disposition')).toBe('attachment; filename="lancamentos-2026-11.csv"');
  expect(await sheet.text()).toBe(
    'Data;Tipo;Descrição;Aluno;Categoria;Meio;Valor;Situação;Motivo\r\n' +
      '20/11/2026;Receita;Mensalidade;;;Pix;70,00;Estornada;\r\n' +
      '20/11/2026;Estorno de receita;Mensalidade;;;Pix;-70,00;;em dobro\r\n' +
      "21/11/2026;Despesa;'=1+1;;Aluguel;Pix;-50,00;;\r\n",
  );
  const report = await read('/finance/months/2026-11/report');
  expect([report.status, report.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const file = Buffer.from(await report.arrayBuffer());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  expect(file.length).toBeLessThan(60_000);
});

it('the files of a month are given again as they were at a moment, whatever was recorded since', async () => {
  clock.at = new Date();
  await introduce();
  const id = await record();
  await issue(id);
  const other = await record(5_000);
  await record(180_000, { tipo: 'despesa', descricao: 'Sala', categoria: 'aluguel' });
  const month = '/finance/months/2026-11';
  const files = ['/transactions/sheet?month=2026-11', `${month}/carne-leao?`, `${month}/report?`];
  for (const file of ['rendimentos', 'pagamentos']) files.push(`${month}/carne-leao-web/${file}?`);
  const read = async (more = '') => {
    await trainer.api.get('/transactions', { query: { month: '2026-11' } });
    return Promise.all(
      files.map(async (path) => {
        const headers = { authorization: `Bearer ${trainer.accessToken}` };
        const file = Buffer.from(
          await (await fetch(`${app.url}/api/v1${path}${more}`, { headers })).arrayBuffer(),
        );
        return path.includes('report') ? textOf(file).replace(/\s+/g, ' ') : file.toString('latin1');
      }),
    );
  };
  const before = await read();
  clock.at = new Date();
  const at = `&at=${clock.at.toISOString()}`;
  await issue(other, { nome: 'Outro' });
  await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' });
  await record(900, { tipo: 'despesa', descricao: 'Luz', categoria: 'aluguel' });
  await trainer.api.put('/settings/receipts', { ...issuer, nome: 'Estúdio Novo' });
  clock.at = new Date();
  const [now, then] = [await read(), await read(at)];
  for (const [index, file] of files.entries()) {
    const past = then[index]!.replace(/Como estava em .* mudou depois\./, '');
    expect([file, past]).toEqual([file, before[index]]);
    expect([file, now[index]]).not.toEqual([file, before[index]]);
  }
  expect(then[2]).toContain('Como estava em ');
});

it('a long month prints the first lines, with the totals of all of them, a limited number of times a minute', async () => {
  const { tenantId } = trainer;
  await record(100);
  await trainer.api.get('/transactions', { query: { month: '2026-11' } });
  await database.query(
    `insert into read.transactions select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).*
     from read.transactions t, generate_series(1, 700) where tenant_id = $1`,
    [tenantId],
  );
  const read = (month: string) =>
    fetch(`${app.url}/api/v1/finance/months/${month}/report`, {
      headers: { authorization: `Bearer ${trainer.accessToken}` },
    });
  const text = textOf(Buffer.from(await (await read('2026-11')).arrayBuffer())).replace(/\s+/g, ' ');
  expect(text).toContain('Este arquivo mostra os primeiros 500 de 701 lançamentos.');
  expect(text).toContain('R$ 701,00');
  // An empty month, since ten long ones may take longer than the minute.
  const statuses: number[] = [];
  for (let n = 0; n < 10; n++) statuses.push((await read('2026-09')).status);
  expect(statuses).toEqual([...Array<number>(9).fill(200), 429]);
});

it('the sheets of a long month contain each of its lines once', async () => {
  await record(100);
  await trainer.api.get('/transactions', { query: { month: '2026-11' } });
  await database.query(
    `insert into read.transactions
     select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'descricao', 'Aula ' || n))).*
     from read.transactions t, generate_series(1, 6000) n where tenant_id = $1`,
    [trainer.tenantId],
  );
  const linesOf = async (path: string) => {
    const answer = await fetch(`${app.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${trainer.accessToken}` },
    });
    return [...(await answer.text()).matchAll(/Aula \d+/g)].map(String).toSorted();
  };
  const all = Array.from({ length: 6000 }, (_, n) => `Aula ${n + 1}`).toSorted();
  expect(await linesOf('/transactions/sheet?month=2026-11')).toEqual(all);
  expect(await linesOf('/finance/months/2026-11/carne-leao')).toEqual(all);
});
