import { beforeEach, expect, it } from '@jest/globals';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { sealCodeOf } from '../../backend/modules/seals/seal-code.js';
import { testDatabase } from '../support/database.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { writtenPage } from '../support/written-page.js';

const database = await testDatabase();
const app = await sharedApp();
let trainer: Trainer;
let studentId: string;

beforeEach(async () => {
  trainer = await signUp(app);
  const student = { nome: 'Joaquina Prado', whatsapp: '(11) 98877-6655' };
  studentId = (await trainer.api.post('/students', student)).body.id;
});

const adjust = (quantidade: number) =>
  trainer.api.post(`/students/${studentId}/credits/adjust`, { quantidade, motivo: 'Cortesia' });
const statement = async () => (await trainer.api.get<CreditStatement>(`/students/${studentId}/credits`)).body;
const verify = (code: string) => writtenPage(app, `/verificar/${code}`);

/** A receipt of R$ 90,00, paid by the student. */
async function receipt() {
  await trainer.api.put('/settings/receipts', {
    nome: 'Estúdio Araújo',
    documento: '11.222.333/0001-81',
    cref: '',
    cidade: 'São Paulo',
  });
  const entry = { tipo: 'receita', valor: 9_000, metodo_pagamento: 'pix', data: '2026-01-20' };
  const { id } = (
    await trainer.api.post('/transactions', { ...entry, descricao: 'Aula', student_id: studentId })
  ).body;
  const period = { descricao: 'Aulas', de: '2026-01-01', ate: '2026-01-31' };
  await trainer.api.post(`/transactions/${id}/receipt`, { nome: 'Joaquina Prado', cpf: null, ...period });
  return { id, recibo: (await trainer.api.get<ShownReceipt>(`/transactions/${id}/receipt`)).body.recibo! };
}

it('says of a statement its balance, and whether anything was recorded in it since', async () => {
  await adjust(3);
  const { lacre } = await statement();
  const current = await verify(lacre!);
  expect(current.text).toContain('Extrato em dia');
  expect(current.text).toContain('3 créditos');
  expect(current.text).not.toMatch(/Joaquina|Prado|Cortesia|98877/);

  await adjust(-1);
  expect((await statement()).lacre).not.toBe(lacre);
  const later = await verify(lacre!);
  expect(later.text).toContain('Extrato antigo');
  expect(later.text).toContain('3 créditos');
});

it('says of a receipt whether its payment still stands, and is in the message and the file', async () => {
  const { id, recibo } = await receipt();
  expect(decodeURIComponent(recibo.whatsapp!)).toContain(`de R$\u00a090,00 · lacre ${recibo.lacre}: `);
  const file = await fetch(`${app.url}${new URL(recibo.link).pathname}.pdf`);
  expect(textOf(Buffer.from(await file.arrayBuffer())).replace(/\s/g, '')).toContain(`lacre${recibo.lacre}`);

  const current = await verify(recibo.lacre);
  expect(current.text).toContain('Pagamento registrado');
  expect(current.text).toContain('R$\u00a090,00');
  expect(current.text).not.toMatch(/Joaquina|Prado|Araújo/);
  await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'Engano' });
  // It is projected once the trainer sees it.
  await trainer.api.get(`/transactions/${id}/receipt`);
  expect((await verify(recibo.lacre)).text).toContain('Pagamento estornado');
});

/** The code in the file of January 2026, also as it was at a moment. */
async function codeOfMonth(at?: string) {
  // Read first, so that the file contains the writes.
  await trainer.api.get('/transactions', { query: { month: '2026-01' } });
  const answer = await fetch(`${app.url}/api/v1/finance/months/2026-01/report${at ? `?at=${at}` : ''}`, {
    headers: { authorization: `Bearer ${trainer.accessToken}` },
  });
  return /M(-[A-Z2-9]{4}){4}/.exec(textOf(Buffer.from(await answer.arrayBuffer())).replace(/\s/g, ''))?.[0];
}

it('says of a month what it was when its file was made, and whether anything was recorded in it since', async () => {
  expect(await codeOfMonth()).toBeUndefined();
  const { id, recibo } = await receipt();
  const spent = { tipo: 'despesa', descricao: 'Aluguel', valor: 2_500, metodo_pagamento: 'pix' };
  await trainer.api.post('/transactions', { ...spent, data: '2026-01-31' });
  const code = await codeOfMonth();
  // Who has a receipt learns nothing of the month by its code.
  expect((await verify(recibo.lacre.replace('L', 'M'))).text).toContain('Código desconhecido');
  const current = await verify(code!);
  for (const text of ['Mês em dia', '01/2026', 'R$\u00a090,00', 'R$\u00a025,00'])
    expect(current.text).toContain(text);
  expect(current.text).not.toMatch(/Joaquina|Prado|Araújo|Aluguel/);
  const then = new Date().toISOString();

  await trainer.api.post('/transactions', { ...spent, data: '2026-02-01' });
  expect((await verify(code!)).text).toContain('Mês em dia');
  await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'Engano' });
  await trainer.api.get(`/transactions/${id}/receipt`);
  const later = await verify(code!);
  for (const text of ['O mês mudou depois', 'R$\u00a090,00']) expect(later.text).toContain(text);
  const newer = await codeOfMonth();
  expect(newer).not.toBe(code);
  const reversed = await verify(newer!);
  for (const text of ['Mês em dia', 'R$\u00a00,00']) expect(reversed.text).toContain(text);
  expect(await codeOfMonth(then)).toBe(code);
  // As the code of a statement or receipt it names no payment of somebody, and as that of a month no credits.
  await adjust(3);
  const { lacre } = await statement();
  expect((await verify(lacre!.replace('L', 'M'))).text).toContain('Código desconhecido');
});

it('says that an entry was changed after it was recorded', async () => {
  await adjust(3);
  const { lacre } = await statement();
  await database.query('alter table events disable trigger user');
  await database.query(
    `update events set data = data || '{"x": 1}' where tenant_id = $1 and type = 'CreditsAdjusted'`,
    [trainer.tenantId],
  );
  await database.query('alter table events enable trigger user');
  const { text } = await verify(lacre!);
  expect(text).toContain('Registro alterado');
  // As the code of a dossier it is the same event.
  expect((await verify(lacre!.replace('L', 'D'))).text).toContain('Registro alterado');
  expect(text).not.toContain('3 créditos');
});

it('knows no code of another hash, and none of an entry that no document carries', async () => {
  await adjust(3);
  const { lacre } = await statement();
  const other = `${lacre!.slice(0, -1)}${lacre!.endsWith('A') ? 'B' : 'A'}`;
  const [first] = await database.query<{ hash: string }>(
    "select encode(hash, 'hex') as hash from events where tenant_id = $1 and position = 1",
    [trainer.tenantId],
  );
  for (const code of [other, sealCodeOf({ tenantId: trainer.tenantId, position: 1, hash: first!.hash })]) {
    const { status, text } = await verify(code);
    expect([status, text.includes('Nenhum extrato, recibo, mês, dossiê ou e-mail tem este lacre.')]).toEqual([
      404,
      true,
    ]);
  }
});

it('is none for a statement without lines', async () => {
  expect((await statement()).lacre).toBeNull();
});
