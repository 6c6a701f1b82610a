import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ComparedLines, LineSplitDone } from '../../backend/modules/bank-lines/bank-lines.api.js';
import type { ChargeDetail, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { TransactionPage } from '../../backend/modules/finance/finance.api.js';
import { dayOf, SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

let trainer: Trainer;

const app = await sharedApp(new SetClock(new Date('2026-11-21T12:00:00Z')));
beforeEach(async () => {
  trainer = await signUp(app);
});

const line = (more: object = {}) => ({
  chave: 'ofx/0341-12345/N1001',
  data: '2026-11-05',
  valor: 40_000,
  texto: 'PIX RECEBIDO ANA PRADO',
  ...more,
});
const decision = (more: object = {}) => {
  const { texto: _texto, ...said } = line(more);
  return said;
};
const compare = async (...linhas: object[]) =>
  (await trainer.api.post<ComparedLines>('/bank-lines/compare', { linhas })).body.items;
const charge = async (more: object = {}) => {
  const student = { nome: 'Ana Prado', telefone: '(11) 98877-6655' };
  const student_id = (await trainer.api.post('/students', student)).body.id;
  const plan = (await trainer.api.post('/plans', { nome: 'Pacote', valor: 40_000, creditos: 8 })).body.id;
  const terms = { descricao: 'Pacote', valor: 40_000, vencimento: '2026-11-06', plano_id: plan };
  return (await trainer.api.post('/charges', { student_id, ...terms, ...more })).body.id;
};
const code = async (path: string, body: object) =>
  (await trainer.api.request<{ code: string }>('POST', `/api/v1/bank-lines/${path}`, { body })).body.code;
const entries = async () =>
  (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11' } })).body;

describe('a line of a statement', () => {
  it('is compared without recording anything, and pays the chosen charge once', async () => {
    const id = await charge();
    const [found] = await compare(line());
    expect(found).toMatchObject({
      chave: line().chave,
      situacao: 'nova',
      parecida: null,
      candidatas: [
        { charge_id: id, student_nome: 'Ana Prado', certeza: 'alta', porque: ['valor', 'nome', 'data'] },
      ],
    });
    expect((await entries()).total.quantidade).toBe(0);
    const done = await trainer.api.post<PaymentDone>('/bank-lines/settle', decision({ charge_id: id }));
    expect(done.body).toMatchObject({ id, quitada: true, creditos: 8 });
    // The same file again, and a second window that still shows the line as new.
    expect(await compare(line())).toMatchObject([{ situacao: 'registrada', candidatas: [] }]);
    const other = await charge();
    expect([
      await code('settle', decision({ charge_id: other })),
      await code('record', { ...decision(), descricao: 'Pix', metodo_pagamento: 'pix', categoria: null }),
      await code('leave', decision()),
      await code('reopen', { chave: line().chave }),
    ]).toEqual(Array(4).fill('bank_lines.decided'));
    expect((await entries()).total).toMatchObject({ quantidade: 1, receitas: 40_000 });
    expect((await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body.situacao).toBe('paga');
    await expectRebuildToEqualLive(app, 'bank-lines');
  });

  it('is open again once its payment was undone', async () => {
    const id = await charge();
    const { payment_id } = (
      await trainer.api.post<PaymentDone>('/bank-lines/settle', decision({ charge_id: id }))
    ).body;
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    expect(await compare(line())).toMatchObject([{ situacao: 'nova', candidatas: [{ charge_id: id }] }]);
    await trainer.api.post('/bank-lines/settle', decision({ charge_id: id }));
    expect(await compare(line())).toMatchObject([{ situacao: 'registrada' }]);
  });

  it('stays recorded when its money is refunded, also over the entries that replace its entry', async () => {
    const id = await charge();
    const { payment_id } = (
      await trainer.api.post<PaymentDone>('/bank-lines/settle', decision({ charge_id: id }))
    ).body;
    const refund = (valor: number, valor_atual: number) =>
      trainer.api.post(`/charges/${id}/payments/${payment_id}/refund`, {
        valor,
        valor_atual,
        creditos: 0,
        motivo: 'mudou de cidade',
      });
    await refund(10_000, 40_000);
    expect(await compare(line())).toMatchObject([{ situacao: 'registrada' }]);
    await refund(30_000, 30_000);
    expect(await compare(line())).toMatchObject([{ situacao: 'registrada', candidatas: [] }]);
    expect(await code('settle', decision({ charge_id: await charge() }))).toBe('bank_lines.decided');

    // Undone, not refunded: the line is open again, although a part had been refunded before.
    const other = decision({ chave: 'ofx/other', data: '2026-11-08', charge_id: await charge() });
    const paid = (await trainer.api.post<PaymentDone>('/bank-lines/settle', other)).body;
    const path = `/charges/${paid.id}/payments/${paid.payment_id}`;
    const part = { valor: 5_000, valor_atual: 40_000, creditos: 0, motivo: 'acerto' };
    await trainer.api.post(`${path}/refund`, part);
    await trainer.api.post(`${path}/reverse`);
    expect(await compare(line({ chave: 'ofx/other', data: '2026-11-08' }))).toMatchObject([
      { situacao: 'nova' },
    ]);
  });

  it('is split over the charges of a family, and is open again once none of its payments is valid', async () => {
    const [ana, bia] = [await charge(), await charge({ valor: 90_000 })];
    const family = (...partes: [string, number][]) =>
      decision({ valor: 100_000, partes: partes.map(([charge_id, valor]) => ({ charge_id, valor })) });
    expect([
      await code('split', family([ana, 40_000], [bia, 50_000])),
      await code('split', family([ana, 40_001], [bia, 59_999])),
      await code('split', family([ana, 50_000], [ana, 50_000])),
    ]).toEqual(['bank_lines.parts_differ', 'charges.more_than_due', 'broken_rule']);
    const { pagamentos } = (
      await trainer.api.post<LineSplitDone>('/bank-lines/split', family([ana, 40_000], [bia, 60_000]))
    ).body;
    const falta = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body.falta;
    expect([pagamentos.length, await falta(ana), await falta(bia)]).toEqual([2, 0, 30_000]);
    expect(await code('split', family([ana, 40_000], [bia, 60_000]))).toBe('bank_lines.decided');
    const shown = async () => (await compare(line({ valor: 100_000 })))[0]!.situacao;
    const states = [await shown()];
    for (const [at, id] of [ana, bia].entries()) {
      await trainer.api.post(`/charges/${id}/payments/${pagamentos[at]}/reverse`);
      states.push(await shown());
    }
    expect(states).toEqual(['registrada', 'registrada', 'nova']);
    await trainer.api.post('/bank-lines/split', family([ana, 40_000], [bia, 60_000]));
    await trainer.api.post('/bank-lines/undo-payments', { chave: line().chave });
    expect([await shown(), await falta(ana), await falta(bia)]).toEqual(['nova', 40_000, 90_000]);
    expect(await code('undo-payments', { chave: line().chave })).toBe('charges.payment_not_found');
    const subject = `charge:${bia}`;
    expect(await toldOf(trainer.api, subject)).toContain(
      'Dividiu a linha do extrato de 05/11/2026, R$\u00a01.000,00, entre 2 cobranças',
    );
  });

  it('that comes again in another file of the bank is shown and refused, unless the user says that it is another payment', async () => {
    const [first, second] = [await charge(), await charge()];
    const csv = { chave: 'csv/PIX ANA/2026-11-05/40000' };
    expect(await compare(line())).toMatchObject([{ repetida: false }]);
    await trainer.api.post('/bank-lines/settle', decision({ charge_id: first }));
    expect(await compare(line(csv))).toMatchObject([{ situacao: 'nova', repetida: true }]);
    const entry = { descricao: 'Pix', metodo_pagamento: 'pix', categoria: null };
    expect([
      await code('settle', decision({ ...csv, charge_id: second })),
      await code('record', { ...decision(csv), ...entry }),
    ]).toEqual(['bank_lines.alike', 'bank_lines.alike']);
    // The statement has two lines of this day and amount: one is recorded, so this may be the other one.
    expect(await compare(line({ ...csv, iguais: 2 }))).toMatchObject([{ repetida: false }]);
    await trainer.api.post('/bank-lines/settle', decision({ ...csv, iguais: 2, charge_id: second }));
    const third = decision({ chave: 'csv/third', iguais: 2 });
    expect(await code('record', { ...third, ...entry })).toBe('bank_lines.alike');
    await trainer.api.post('/bank-lines/record', { ...third, ...entry, mesmo_assim: true });
    await trainer.api.post('/bank-lines/leave', decision({ chave: 'csv/fourth' }));
    expect((await entries()).total).toMatchObject({ quantidade: 3, receitas: 120_000 });
  });

  it('can be compared only a limited number of times a minute', async () => {
    const answers = await Promise.all(
      Array.from({ length: 62 }, () =>
        trainer.api.request('POST', '/api/v1/bank-lines/compare', { body: { linhas: [line()] } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2);
    expect(answers.map(({ status }) => status)).toContain(200);
  });

  it('pays a part, but never more than the amount due, and nothing with outgoing money', async () => {
    const id = await charge({ valor: 90_000 });
    expect(await compare(line())).toMatchObject([{ candidatas: [{ certeza: 'baixa' }] }]);
    expect([
      await code('settle', decision({ valor: 90_001, charge_id: id })),
      await code('settle', decision({ valor: -100, charge_id: id })),
    ]).toEqual(['charges.more_than_due', 'bank_lines.not_income']);
    const { body } = await trainer.api.post<PaymentDone>('/bank-lines/settle', decision({ charge_id: id }));
    expect(body.quitada).toBe(false);
    expect((await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body.falta).toBe(50_000);
  });

  it('is recorded as a separate entry, and a similar entry is pointed out before', async () => {
    const rent = { chave: 'csv/Aluguel', data: '2026-11-06', valor: -180_000, texto: 'Aluguel' };
    const typed = { tipo: 'despesa', descricao: 'Sala', valor: 180_000, metodo_pagamento: 'pix' };
    const { id } = (await trainer.api.post('/transactions', { ...typed, data: '2026-11-04' })).body;
    expect(await compare(rent)).toMatchObject([
      { situacao: 'nova', candidatas: [], parecida: { id, descricao: 'Sala', data: '2026-11-04' } },
    ]);
    const { texto: _texto, ...said } = rent;
    const body = { ...said, descricao: 'Aluguel', metodo_pagamento: 'pix', categoria: 'aluguel' };
    await trainer.api.post('/bank-lines/record', body);
    expect(await compare(rent)).toMatchObject([{ situacao: 'registrada', parecida: null }]);
    expect((await entries()).items[0]).toMatchObject({
      tipo: 'despesa',
      categoria: 'aluguel',
      valor: 180_000,
    });
    const subject = `transaction:${(await entries()).items[0]!.id}`;
    expect(await toldOf(trainer.api, subject)).toContain(
      'Registrou a linha do extrato de 06/11/2026, R$\u00a01.800,00',
    );
  });

  it('that went out is the refund that was recorded, in full, in part or by hand, once, and counts nothing more', async () => {
    // Events are recorded with the time of the database.
    const today = dayOf(new Date());
    const refund = async (valor: number) => {
      const id = await charge();
      const { payment_id } = (
        await trainer.api.post<PaymentDone>(
          '/bank-lines/settle',
          decision({ chave: `in/${id}`, mesmo_assim: true, charge_id: id }),
        )
      ).body;
      await trainer.api.post(`/charges/${id}/payments/${payment_id}/refund`, {
        valor,
        valor_atual: 40_000,
        creditos: 0,
        motivo: 'mudou de cidade',
      });
    };
    await refund(10_000);
    await refund(40_000);
    const typed = {
      tipo: 'receita',
      descricao: 'Avaliação',
      valor: 7_000,
      metodo_pagamento: 'pix',
      data: '2026-11-20',
    };
    const byHand = (await trainer.api.post('/transactions', typed)).body.id;
    await trainer.api.post(`/transactions/${byHand}/reverse`, { motivo: 'devolvi por Pix' });
    const undone = await charge();
    const paid = decision({ chave: 'in/undone', valor: 3_000, charge_id: undone });
    const { payment_id } = (await trainer.api.post<PaymentDone>('/bank-lines/settle', paid)).body;
    await trainer.api.post(`/charges/${undone}/payments/${payment_id}/reverse`);

    const out = (valor: number) => line({ chave: `out/${valor}`, data: today, valor, texto: 'PIX ENVIADO' });
    const lines = [-10_000, -40_000, -7_000, -3_000, 10_000].map(out);
    const before = (await entries()).total;
    const found = (await compare(...lines)).map(({ devolucao }) => devolucao);
    expect(found).toMatchObject([
      { student_nome: 'Ana Prado', descricao: 'Pacote', dia: expect.any(String) },
      { student_nome: 'Ana Prado' },
      { id: byHand, student_nome: null, descricao: 'Avaliação' },
      null,
      null,
    ]);
    const take = ({ texto: _texto, ...said }: ReturnType<typeof line>, at: number) => ({
      ...said,
      transaction_id: found[at]!.id,
    });
    expect(await code('refund', { ...take(lines[0]!, 0), valor: -9_999 })).toBe('bank_lines.not_refund');
    expect(await code('refund', take(lines[0]!, 1))).toBe('bank_lines.not_refund');
    for (const at of [0, 1, 2]) await trainer.api.post('/bank-lines/refund', take(lines[at]!, at));
    expect(await code('refund', { ...take(lines[0]!, 0), chave: 'out/other', mesmo_assim: true })).toBe(
      'bank_lines.refund_taken',
    );
    expect((await compare(...lines)).map(({ situacao, devolucao }) => [situacao, devolucao])).toEqual([
      ...Array(3).fill(['registrada', null]),
      ...Array(2).fill(['nova', null]),
    ]);
    expect((await entries()).total).toEqual(before);
    await trainer.api.post('/bank-lines/reopen', { chave: lines[0]!.chave });
    expect(await compare(lines[0]!)).toMatchObject([{ situacao: 'nova', devolucao: found[0] }]);
    for (const name of ['bank-lines', 'charge-payments']) await expectRebuildToEqualLive(app, name);
  });

  it('that pays no charge is a receita of the student whose name it has', async () => {
    await charge();
    const [found] = await compare(line({ valor: 5_000 }));
    expect(found).toMatchObject({ aluno: { nome: 'Ana Prado' } });
    const entry = { descricao: 'Avulsa', metodo_pagamento: 'pix', categoria: null };
    const body = { ...decision({ valor: 5_000 }), ...entry };
    expect(await code('record', { ...body, student_id: trainer.tenantId })).toBe('students.not_found');
    await trainer.api.post('/bank-lines/record', { ...body, student_id: found!.aluno!.id });
    expect((await entries()).items[0]).toMatchObject({ valor: 5_000, aluno: 'Ana Prado' });
  });

  it('can be left out, and reopened', async () => {
    await trainer.api.post('/bank-lines/leave', decision());
    expect(await compare(line())).toMatchObject([{ situacao: 'fora' }]);
    await trainer.api.post('/bank-lines/reopen', { chave: line().chave });
    expect(await compare(line())).toMatchObject([{ situacao: 'nova' }]);
    expect(await code('reopen', { chave: line().chave })).toBe('bank_lines.not_found');
  });

  it('is decided once by two windows at the same time', async () => {
    const [first, second] = [await charge(), await charge()];
    const answers = await Promise.all(
      [first, second].map((charge_id) => code('settle', decision({ charge_id }))),
    );
    expect(answers.filter((each) => each === 'bank_lines.decided')).toHaveLength(1);
    expect((await entries()).total.quantidade).toBe(1);
  });
});
