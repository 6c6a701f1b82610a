import { addHours } from 'date-fns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeDetail, ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import { monthlyBilling } from '../../backend/modules/charges/billing.job.js';
import type { RenewalPaid, RenewalState, Renewed } from '../../backend/modules/charges/renewals.api.js';
import type { MonthSummary, TransactionPage } from '../../backend/modules/finance/finance.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let studentId: string;
let planId: string;

const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  trainer = await signUp(app);
  planId = (await trainer.api.post('/plans', { nome: 'Pacote 10', valor: 60_000, creditos: 10 })).body.id;
  studentId = (
    await trainer.api.post('/students', { nome: 'Ana Prado', whatsapp: '(11) 98877-6655', plano_id: planId })
  ).body.id;
});

const issue = async (more: object = {}) =>
  (
    await trainer.api.post('/charges', {
      student_id: studentId,
      plano_id: planId,
      descricao: 'Pacote 10',
      valor: 60_000,
      vencimento: '2026-11-25',
      ...more,
    })
  ).body.id;
const get = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
const list = async (query: Record<string, string | number> = {}) =>
  (await trainer.api.get<ChargePage>('/charges', { query })).body;
const pay = async (id: string, valor = 60_000) =>
  (
    await trainer.api.post<PaymentDone>(`/charges/${id}/payments`, {
      valor,
      data: '2026-11-20',
      metodo_pagamento: 'pix',
    })
  ).body;
const month = async (mes = '2026-11') => (await trainer.api.get<MonthSummary>(`/finance/months/${mes}`)).body;
const entries = async () =>
  (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11' } })).body.items;
const balance = async () =>
  (await trainer.api.get<CreditStatement>(`/students/${studentId}/credits`)).body.saldo;
const refused = async (status: number, method: string, path: string, body?: unknown) => {
  const answer = await trainer.api.request<ProblemBody>(method, `/api/v1${path}`, { body });
  expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
  return answer.body.code;
};

describe('a charge', () => {
  it('is listed with its totals, open until the end of its due date, then overdue', async () => {
    const id = await issue();
    const other = await issue({
      plano_id: null,
      descricao: 'Camiseta',
      valor: 5_000,
      vencimento: '2026-11-20',
    });
    expect((await list({ situacao: 'a_receber' })).items.map((item) => [item.id, item.situacao])).toEqual([
      [other, 'vencida'],
      [id, 'aberta'],
    ]);
    expect((await list({ situacao: 'vencida' })).total).toEqual({
      quantidade: 1,
      valor: 5_000,
      falta: 5_000,
    });
    expect((await list({ mes: '2026-11', student_id: studentId })).total.quantidade).toBe(2);
    expect((await list({ mes: '2026-12' })).items).toEqual([]);
    const first = await list({ situacao: 'a_receber', limit: 1 });
    const second = await list({ situacao: 'a_receber', limit: 1, cursor: first.next! });
    expect([first.items[0]?.id, second.items[0]?.id, second.next]).toEqual([other, id, null]);
    // The 25th ends in São Paulo three hours after it does in UTC.
    clock.at = new Date('2026-11-26T02:59:00Z');
    expect((await get(id)).situacao).toBe('aberta');
    clock.at = new Date('2026-11-26T03:00:00Z');
    expect((await get(id)).situacao).toBe('vencida');
  });

  it('says whether the student was sent it, or a reminder', async () => {
    const [one, other] = [await issue(), await issue({ plano_id: null, vencimento: '2026-11-21' })];
    expect([(await get(one)).enviada, (await get(other)).enviada]).toEqual([false, false]);
    await trainer.api.post(`/charges/${one}/sent`);
    expect([(await get(one)).enviada, (await get(other)).enviada]).toEqual([true, false]);
    clock.at = new Date('2026-11-22T12:00:00Z');
    await trainer.api.post(`/charges/${other}/reminders`);
    expect((await get(other)).enviada).toBe(true);
    expect((await toldOf(trainer.api, `charge:${one}`)).filter((line) => line.includes('Enviou'))).toEqual([
      'Enviou a cobrança pelo WhatsApp',
    ]);
    await expectRebuildToEqualLive(app, 'charges');
  });

  it('can be changed until it is paid, and be cancelled and restored', async () => {
    const id = await issue();
    await trainer.api.patch(`/charges/${id}`, { valor: 55_000, vencimento: '2026-12-01' });
    expect(await get(id)).toMatchObject({ valor: 55_000, falta: 55_000, vencimento: '2026-12-01' });
    await trainer.api.post(`/charges/${id}/cancel`);
    expect(await get(id)).toMatchObject({ situacao: 'cancelada', falta: 0, link: null });
    expect(await refused(409, 'POST', `/charges/${id}/payments`, paying())).toBe('charges.cancelled');
    await trainer.api.post(`/charges/${id}/restore`);
    expect(await get(id)).toMatchObject({ situacao: 'aberta', falta: 55_000 });
  });

  it('prevents the removal of its student and plan', async () => {
    await issue();
    expect(await refused(409, 'DELETE', `/students/${studentId}`)).toBe('students.in_use');
    expect(await refused(409, 'DELETE', `/plans/${planId}`)).toBe('plans.in_use');
  });
});

const paying = (valor = 1_000) => ({ valor, data: '2026-11-20', metodo_pagamento: 'dinheiro' });

describe('settling a charge', () => {
  it('records the receita with its parts and grants the credits, in one step', async () => {
    const id = await issue();
    const { quitada, creditos } = await pay(id);
    expect([quitada, creditos, await balance()]).toEqual([true, 10, 10]);
    expect(await get(id)).toMatchObject({ situacao: 'paga', pago: 60_000, falta: 0, link: null });
    expect(await month()).toMatchObject({ recebido: 60_000, receitas: 1 });
    expect(await entries()).toMatchObject([
      {
        descricao: 'Pacote 10',
        valor: 60_000,
        data: '2026-11-20',
        cobranca: { id, student_id: studentId, student_nome: 'Ana Prado' },
      },
    ]);
    expect(await refused(409, 'POST', `/charges/${id}/payments`, paying())).toBe('charges.already_paid');
  });

  it('in parts leaves the rest open, and grants the credits with the last part', async () => {
    const id = await issue();
    expect(await pay(id, 25_000)).toMatchObject({ quitada: false, creditos: 0 });
    expect([await balance(), (await get(id)).falta]).toEqual([0, 35_000]);
    expect(await refused(422, 'POST', `/charges/${id}/payments`, paying(35_001))).toBe(
      'charges.more_than_due',
    );
    expect(await refused(409, 'POST', `/charges/${id}/cancel`)).toBe('charges.has_payments');
    expect(await pay(id, 35_000)).toMatchObject({ quitada: true, creditos: 10 });
    expect([await balance(), (await month()).recebido]).toEqual([10, 60_000]);
  });

  it("is dated today in the trainer's zone or before, also by a line of a bank and with a renewal", async () => {
    const id = await issue();
    // 22:30 of the 21st in São Paulo.
    clock.at = new Date('2026-11-22T01:30:00Z');
    const tomorrow = { ...paying(), data: '2026-11-22' };
    const line = { chave: 'fitid:9', valor: 1_000, data: tomorrow.data };
    for (const [path, body] of [
      ['/transactions', { ...tomorrow, tipo: 'despesa', descricao: 'Aluguel' }],
      [`/charges/${id}/payments`, tomorrow],
      [`/students/${studentId}/credits/renew/payment`, tomorrow],
      ['/bank-lines/settle', { ...line, charge_id: id }],
      ['/bank-lines/record', { ...line, descricao: 'Aulas', metodo_pagamento: 'pix', categoria: null }],
    ] as const)
      expect(await refused(422, 'POST', path, body)).toBe('finance.after_today');
    expect([await entries(), (await get(id)).falta]).toEqual([[], 60_000]);
    await trainer.api.post(`/charges/${id}/payments`, { ...tomorrow, data: '2026-11-21' });
  });

  it('is undone as a whole', async () => {
    const id = await issue();
    const { payment_id } = await pay(id);
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    expect([await balance(), (await month()).recebido]).toEqual([0, 0]);
    expect(await get(id)).toMatchObject({ situacao: 'aberta', falta: 60_000 });
    expect(await refused(404, 'POST', `/charges/${id}/payments/${payment_id}/reverse`)).toBe(
      'charges.payment_not_found',
    );
    await pay(id);
    expect([await balance(), (await month()).recebido]).toEqual([10, 60_000]);
  });

  it('cannot be undone once its credits are used, nor by reversing the entry alone', async () => {
    const id = await issue();
    const { payment_id } = await pay(id);
    const [entry] = await entries();
    expect(await refused(409, 'POST', `/transactions/${entry!.id}/reverse`, { motivo: 'em dobro' })).toBe(
      'finance.settles_charge',
    );
    await trainer.api.post(`/students/${studentId}/credits/consume`, { motivo: 'Aula' });
    expect(await refused(409, 'POST', `/charges/${id}/payments/${payment_id}/reverse`)).toBe(
      'charges.credits_used',
    );
    expect([(await month()).recebido, (await get(id)).situacao]).toEqual([60_000, 'paga']);
  });

  it('is refunded in part with the remaining credits, and then completely', async () => {
    const id = await issue();
    const { payment_id } = await pay(id);
    const refund = (valor: number, creditos: number, motivo = 'mudou de cidade') =>
      `POST /charges/${id}/payments/${payment_id}/refund ${JSON.stringify({ valor, valor_atual: 60_000, creditos, motivo })}`;
    const send = (told: string) => {
      const [, method, path, body] = /^(\w+) (\S+) (.*)$/.exec(told)!;
      return [method!, path!, JSON.parse(body!)] as const;
    };
    await trainer.api.post(`/students/${studentId}/credits/consume`, { motivo: 'Aula' });
    expect([
      await refused(422, ...send(refund(60_001, 0))),
      await refused(422, ...send(refund(100, 11))),
      await refused(409, ...send(refund(100, 10))),
      await refused(400, ...send(refund(100, 0, ''))),
    ]).toEqual(['charges.more_than_paid', 'charges.more_credits', 'charges.credits_used', 'validation']);

    const [, path, body] = send(refund(45_000, 7));
    await trainer.api.post(path, body);
    expect([await balance(), (await month()).recebido]).toEqual([2, 15_000]);
    expect(await get(id)).toMatchObject({
      situacao: 'paga',
      valor: 15_000,
      pago: 15_000,
      creditos: 3,
      pagamentos: [{ id: payment_id, valor: 15_000, devolvido: 45_000, estornado: false }],
    });
    const standing = (await entries()).find(
      ({ estornada_por, estorno_de }) => !estornada_por && !estorno_de,
    )!;
    expect(standing).toMatchObject({ valor: 15_000, data: '2026-11-20', cobranca: { id } });
    expect(await refused(409, 'POST', `/transactions/${standing.id}/reverse`, { motivo: 'em dobro' })).toBe(
      'finance.settles_charge',
    );

    // As from a second window, which still shows the former amount.
    expect(await refused(409, 'POST', path, { ...body, valor: 5_000, creditos: 0 })).toBe(
      'charges.payment_changed',
    );
    await trainer.api.post(path, { ...body, valor: 15_000, valor_atual: 15_000, creditos: 0 });
    expect([await balance(), (await month()).recebido]).toEqual([2, 0]);
    expect(await get(id)).toMatchObject({
      situacao: 'cancelada',
      pagamentos: [{ valor: 0, devolvido: 60_000, estornado: true }],
    });
    expect(await toldOf(trainer.api, `charge:${id}`)).toContain(
      'Devolveu R$\u00a0450,00 ao aluno e removeu 7 créditos (motivo: mudou de cidade)',
    );
  });

  it('can be refunded twice without counting an expired credit twice', async () => {
    const terms = { nome: 'Curto', valor: 60_000, creditos: 10, validade_dias: 5 };
    planId = (await trainer.api.post('/plans', terms)).body.id;
    const id = await issue();
    const { payment_id } = await pay(id);
    for (let n = 0; n < 7; n++)
      await trainer.api.post(`/students/${studentId}/credits/consume`, { motivo: 'Aula' });
    clock.at = new Date('2026-11-28T12:00:00Z');
    const path = `/charges/${id}/payments/${payment_id}/refund`;
    const back = { valor: 10_000, valor_atual: 60_000, creditos: 2, motivo: 'parou' };
    await trainer.api.post(path, back);
    // One of the three expired ones is left.
    const again = { ...back, valor_atual: 50_000 };
    expect(await refused(409, 'POST', path, again)).toBe('charges.credits_used');
    const reason = { quantidade: 4, motivo: 'Bônus' };
    await trainer.api.post(`/students/${studentId}/credits/adjust`, reason);
    await trainer.api.post(path, again);
    expect([await balance(), (await get(id)).creditos]).toEqual([3, 6]);
    expect(await refused(409, 'POST', `/charges/${id}/payments/${payment_id}/reverse`)).toBe(
      'charges.credits_used',
    );
  });

  it('happens once, also by concurrent requests', async () => {
    const id = await issue();
    const all = await Promise.all(
      Array.from({ length: 6 }, () =>
        trainer.api.request('POST', `/api/v1/charges/${id}/payments`, { body: paying(60_000) }),
      ),
    );
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect([await balance(), (await month()).recebido]).toEqual([10, 60_000]);
  });
});

describe('a session without a credit', () => {
  const done = async (hours = 5) => {
    const inicio = addHours(clock.at, -hours);
    const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
    const { id } = (await trainer.api.post('/sessions', { student_id: studentId, ...times })).body;
    await trainer.api.post(`/sessions/${id}/complete`);
    return id;
  };
  const toCharge = async () =>
    (await trainer.api.get<{ items: { id: string }[] }>('/sessions/to-charge')).body.items.map(
      ({ id }) => id,
    );

  it('is charged once, and again only after that was cancelled', async () => {
    const session_id = await done();
    expect(await toCharge()).toEqual([session_id]);
    const body = { plano_id: null, session_id, descricao: 'Sessão', valor: 6_000 };
    const both = await Promise.all(
      [0, 1].map(() => trainer.api.request('POST', '/api/v1/charges', { body: whole(body) })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await toCharge()).toEqual([]);
    const [charged] = (await list()).items;
    expect(charged).toMatchObject({ session_id, origem: 'sessao' });
    await trainer.api.post(`/charges/${charged!.id}/cancel`);
    expect(await toCharge()).toEqual([session_id]);
    await issue(body);
    expect(await refused(409, 'POST', `/charges/${charged!.id}/restore`)).toBe('charges.session_charged');
  });

  describe('together with others', () => {
    const chargeAll = (session_ids: string[], total: number, idempotencyKey?: string) =>
      trainer.api.request<ProblemBody & { ids: string[] }>('POST', '/api/v1/charges/sessions', {
        body: { student_id: studentId, session_ids, total },
        ...(idempotencyKey && { idempotencyKey }),
      });
    let sessions: string[];

    beforeEach(async () => {
      sessions = [await done(30), await done(29), await done(5)];
    });

    it('gets a charge of its own by one command, which is not repeated with its key', async () => {
      const first = await chargeAll(sessions, 18_000, 'three-sessions-of-ana');
      const again = await chargeAll(sessions, 18_000, 'three-sessions-of-ana');
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      const { items } = await list({ situacao: 'a_receber' });
      const about = { valor: 6_000, origem: 'sessao', vencimento: '2026-11-24' };
      const charged = first.body.ids.map((id) => items.find((item) => item.id === id));
      expect(charged).toMatchObject([
        { ...about, session_id: sessions[0], descricao: 'Sessão de 20/11/2026' },
        { ...about, session_id: sessions[1], descricao: 'Sessão de 20/11/2026' },
        { ...about, session_id: sessions[2], descricao: 'Sessão de 21/11/2026' },
      ]);
      expect([items.length, await toCharge()]).toEqual([3, []]);
    });

    it('is charged again after all of these charges were cancelled by one command, or none', async () => {
      const { ids } = (await chargeAll(sessions, 18_000)).body;
      const cancelAll = (of: readonly string[]) => refused(409, 'POST', '/charges/cancel', { ids: of });
      await pay(ids[1]!, 6_000);
      expect(await cancelAll(ids)).toBe('charges.has_payments');
      const twice = { ids: [ids[0], ids[0]] };
      expect(await refused(422, 'POST', '/charges/cancel', twice)).toBe('broken_rule');
      expect(await toCharge()).toEqual([]);
      await trainer.api.post('/charges/cancel', { ids: [ids[0], ids[2]] });
      expect(await toCharge()).toEqual([sessions[0], sessions[2]]);
    });

    it('is not charged where one of them was charged meanwhile, also by a concurrent request', async () => {
      const [one, two, three] = sessions as [string, string, string];
      const both = await Promise.all([chargeAll([one, two], 12_000), chargeAll([two, three], 12_000)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      expect(both.find(({ status }) => status === 409)?.body.code).toBe('charges.session_charged');
      const left = await toCharge();
      expect(left).toHaveLength(1);
      const late = await chargeAll([...left, two], 12_000);
      expect([late.status, late.body.detail]).toEqual([
        409,
        'Uma destas sessões já foi cobrada. Nada foi cobrado agora.',
      ]);
      expect([await toCharge(), (await list()).items.length]).toEqual([left, 2]);
    });

    it('is not charged with another total than was shown, twice, or for another student', async () => {
      const bia = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214322' })).body
        .id;
      const ask = (body: object) =>
        trainer.api.request<ProblemBody>('POST', '/api/v1/charges/sessions', { body });
      const wanted = { student_id: studentId, session_ids: sessions, total: 18_000 };
      const answers = [];
      for (const other of [
        { total: 17_999 },
        { session_ids: [sessions[0], sessions[0]], total: 12_000 },
        { student_id: bia },
        { session_ids: [] },
      ]) {
        const { status, body } = await ask({ ...wanted, ...other });
        answers.push([status, body.code]);
      }
      expect(answers).toEqual([
        [409, 'charges.total_changed'],
        [422, 'broken_rule'],
        [404, 'agenda.session_not_found'],
        [400, 'validation'],
      ]);
      expect([(await toCharge()).length, (await list()).items]).toEqual([3, []]);
    });

    it('is not charged without a known value', async () => {
      await trainer.api.patch(`/students/${studentId}`, { plano_id: null });
      const free = await done(2);
      const { status, body } = await chargeAll([sessions[0]!, free], 6_000);
      expect([status, body.code]).toEqual([409, 'charges.value_unknown']);
      expect((await list()).items).toEqual([]);
    });
  });

  const whole = (more: object) => ({ student_id: studentId, vencimento: '2026-11-25', ...more });

  describe('once it owes nothing any more', () => {
    const charged = async () => {
      const session_id = await done();
      return {
        session_id,
        id: await issue({ plano_id: null, session_id, descricao: 'Sessão', valor: 6_000 }),
      };
    };
    const turn = (session_id: string, step: string, body: object = {}) =>
      trainer.api.post(`/sessions/${session_id}/${step}`, body);

    it('has its open charge cancelled in the same transaction, which undoing the reopening brings back', async () => {
      const { session_id, id } = await charged();
      await turn(session_id, 'reopen');
      expect(await get(id)).toMatchObject({ situacao: 'cancelada', link: null });
      expect(await refused(409, 'POST', `/charges/${id}/restore`)).toBe('charges.nothing_to_charge');
      const told = (subject: string) => toldOf(trainer.api, subject);
      const words = 'Cancelou a cobrança: a sessão foi reaberta';
      expect([await told(`charge:${id}`), await told(`session:${session_id}`)]).toEqual([
        expect.arrayContaining([words]),
        expect.arrayContaining([words]),
      ]);
      await turn(session_id, 'complete', { de: 'agendada' });
      expect(await list({ session_id })).toMatchObject({ items: [{ id, situacao: 'aberta', falta: 6_000 }] });
      expect(await toCharge()).toEqual([]);
    });

    it('is charged anew where it comes to owe again without an undo', async () => {
      const { session_id, id } = await charged();
      await turn(session_id, 'reopen');
      await turn(session_id, 'complete');
      expect([(await get(id)).situacao, await toCharge()]).toEqual(['cancelada', [session_id]]);
    });

    it("is cancelled where the session becomes another student's, and comes back with the undo", async () => {
      const { session_id, id } = await charged();
      const bia = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214322' })).body
        .id;
      const give = (body: object) => trainer.api.patch(`/sessions/${session_id}`, body);
      await give({ student_id: bia });
      expect([(await get(id)).situacao, await toCharge()]).toEqual(['cancelada', [session_id]]);
      expect(await refused(409, 'POST', `/charges/${id}/restore`)).toBe('charges.nothing_to_charge');
      const hers = { plano_id: null, session_id, descricao: 'Sessão', valor: 5_000, student_id: bia };
      const other = await issue(hers);
      await give({ student_id: studentId, se_ainda: { student_id: bia } });
      expect([(await get(id)).situacao, (await get(other)).situacao]).toEqual(['aberta', 'cancelada']);
      expect(await toCharge()).toEqual([]);
    });

    it('keeps a charge that was paid, also in part', async () => {
      const { session_id, id } = await charged();
      await pay(id, 1_000);
      await turn(session_id, 'reopen');
      expect(await get(id)).toMatchObject({ situacao: 'aberta', falta: 5_000 });
      await pay(id, 5_000);
      await turn(session_id, 'complete', { de: 'agendada' });
      expect(await get(id)).toMatchObject({ situacao: 'paga', pago: 6_000 });
    });
  });

  it('is not charged where a credit has', async () => {
    await trainer.api.post(`/students/${studentId}/credits/renew`);
    const session_id = await done();
    expect(await refused(409, 'POST', '/charges', whole({ session_id, descricao: 'Sessão', valor: 1 }))).toBe(
      'charges.nothing_to_charge',
    );
  });
});

describe('a renewal', () => {
  const renewals = () => `/students/${studentId}/credits/renew`;
  const renew = async (seen?: object) => (await trainer.api.post<Renewed>(renewals(), seen)).body;
  const renewPaid = async (valor = 60_000) =>
    (await trainer.api.post<RenewalPaid>(`${renewals()}/payment`, paying(valor))).body;
  const undo = (lot: string) => trainer.api.post(`/students/${studentId}/credits/grants/${lot}/undo`);
  const waive = (lot: string, dispensada: boolean) =>
    trainer.api.put(`/students/${studentId}/credits/grants/${lot}/waiver`, { dispensada });
  const known = async () => (await trainer.api.get<RenewalState>(`/students/${studentId}/renewal`)).body;
  const grants = async () =>
    (await trainer.api.get<CreditStatement>(`/students/${studentId}/credits`)).body.extrato.items
      .filter(({ tipo }) => tipo === 'concessao')
      .map(({ pagamento }) => pagamento?.situacao ?? null);
  const charges = async () => (await list({ student_id: studentId })).items;

  it.each<[string, () => Promise<unknown>]>([
    ['a charge', async () => pay(await issue())],
    [
      'a charge that was said to grant nothing',
      async () => pay(await issue({ creditos_ja_concedidos: true })),
    ],
    [
      'a charge that is paid in parts',
      async () => [await pay(await issue(), 20_000), await renewPaid(40_000)],
    ],
    ['the payment of the renewal', () => renewPaid()],
    [
      'a line of the bank',
      async () =>
        trainer.api.post('/bank-lines/settle', {
          chave: 'fitid:1',
          valor: 60_000,
          data: '2026-11-20',
          charge_id: await issue(),
        }),
    ],
  ])('without money is paid by %s, which grants nothing again', async (_, paid) => {
    await renew();
    expect([await balance(), await grants()]).toEqual([10, ['sem_cobranca']]);
    await paid();
    expect([await balance(), await grants(), (await month()).recebido]).toEqual([10, ['paga'], 60_000]);
    expect(await charges()).toMatchObject([{ situacao: 'paga', creditos: 0 }]);
    expect(await known()).toEqual({ esperando: [], cobrancas: [] });
  });

  it('has the open charge of its plan, also that of a month, which then grants nothing', async () => {
    const id = await issue();
    expect((await get(id)).creditos).toBe(10);
    const { lot_id, charge_id } = await renew();
    expect(charge_id).toBe(id);
    expect(await get(id)).toMatchObject({ creditos: 0, grant_id: lot_id });
    expect(await known()).toMatchObject({
      esperando: [{ lot_id, cobranca: { id, falta: 60_000 } }],
      cobrancas: [],
    });
    // It still waits for its money, as another window shows it.
    expect(await refused(409, 'POST', renewals(), { esperando: 0 })).toBe('renewals.changed');
    await pay(id);
    expect([await balance(), await grants()]).toEqual([10, ['paga']]);
  });

  it('of a monthly plan is paid by the charge of the next month', async () => {
    const mensal = { nome: 'Mensal', valor: 48_000, creditos: 8, tipo: 'mensal' };
    const plano_id = (await trainer.api.post('/plans', mensal)).body.id;
    const mensalidade = { valor: 48_000, desde: '2026-12-01', ate: null, vence_dia: 5 };
    await trainer.api.patch(`/students/${studentId}`, { plano_id, mensalidade });
    await renew();
    clock.at = new Date('2026-12-02T12:00:00Z');
    await app.run(monthlyBilling.Handler);
    await eventually(async () => (await charges()).length, 1);
    const [billed] = await charges();
    expect(billed).toMatchObject({ origem: 'mensalidade', creditos: 0 });
    await pay(billed!.id, 48_000);
    expect([await balance(), await grants()]).toEqual([8, ['paga']]);
  });

  it('waits again where its charge is cancelled or refunded, and has it back where that is undone', async () => {
    await renew();
    const id = await issue();
    expect(await grants()).toEqual(['cobrada']);
    await trainer.api.post(`/charges/${id}/cancel`);
    expect(await grants()).toEqual(['sem_cobranca']);
    await trainer.api.post(`/charges/${id}/restore`);
    expect(await grants()).toEqual(['cobrada']);
    const { payment_id } = await pay(id);
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    expect([await grants(), await balance()]).toEqual([['cobrada'], 10]);
    await trainer.api.post(`/charges/${id}/cancel`);
    const other = await issue();
    expect((await get(other)).creditos).toBe(0);
    expect(await refused(409, 'POST', `/charges/${id}/restore`)).toBe('charges.grant_settled');
  });

  it('has one charge each where there are two without money', async () => {
    const first = await renew({ esperando: 0 });
    expect(await refused(409, 'POST', renewals(), { esperando: 0 })).toBe('renewals.changed');
    clock.at = addHours(clock.at, 1);
    const second = await renew({ esperando: 1 });
    const issued = [await get(await issue()), await get(await issue()), await get(await issue())];
    expect(issued.map(({ grant_id, creditos }) => [grant_id, creditos])).toEqual([
      [first.lot_id, 0],
      [second.lot_id, 0],
      [null, 10],
    ]);
  });

  it('that is undone gives its credits back, and its charge grants them again', async () => {
    const { lot_id } = await renew();
    const id = await issue();
    expect((await undo(lot_id)).body).toEqual({ saldo: 0 });
    expect(await get(id)).toMatchObject({ creditos: 10, grant_id: null });
    await pay(id);
    expect([await balance(), await grants()]).toEqual([10, [null, null]]);
    expect(await refused(404, 'POST', `/students/${studentId}/credits/grants/${lot_id}/undo`)).toBe(
      'renewals.not_found',
    );
  });

  it('is not undone once it is paid or its credits are used', async () => {
    const { lot_id } = await renew();
    const path = `/students/${studentId}/credits/grants/${lot_id}/undo`;
    const id = await issue();
    const { payment_id } = await pay(id);
    expect(await refused(409, 'POST', path)).toBe('renewals.paid');
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    await trainer.api.post(`/students/${studentId}/credits/consume`, { motivo: 'Aula avulsa' });
    expect(await refused(409, 'POST', path)).toBe('renewals.used');
    expect(await balance()).toBe(9);
  });

  it('whose payment was waived is no longer waited for, until that is undone', async () => {
    const { lot_id } = await renew();
    await waive(lot_id, true);
    expect([await grants(), (await known()).esperando]).toEqual([['dispensada'], []]);
    const id = await issue();
    expect((await get(id)).creditos).toBe(10);
    await trainer.api.post(`/charges/${id}/cancel`);
    await waive(lot_id, false);
    expect((await get(await issue())).creditos).toBe(0);
    const path = `/students/${studentId}/credits/grants/${lot_id}/waiver`;
    expect(await refused(409, 'PUT', path, { dispensada: true })).toBe('renewals.charged');
  });

  it('with its payment is one command, and so is its undo', async () => {
    const done = await renewPaid(55_000);
    expect(done).toMatchObject({ quitada: true, creditos: 10, emitida: true });
    expect(await charges()).toMatchObject([
      { id: done.id, situacao: 'paga', valor: 55_000, descricao: 'Pacote 10' },
    ]);
    await trainer.api.post(`/charges/${done.id}/payments/${done.payment_id}/undo-renewal`);
    expect(await charges()).toMatchObject([{ id: done.id, situacao: 'cancelada' }]);
    expect([await balance(), (await month()).recebido]).toEqual([0, 0]);
  });

  it('with its payment pays the open charge of its plan, and issues no other', async () => {
    const id = await issue();
    expect(await refused(422, 'POST', `${renewals()}/payment`, paying(70_000))).toBe('charges.more_than_due');
    expect(await renewPaid()).toMatchObject({ id, quitada: true, creditos: 10, emitida: false });
    expect([(await charges()).length, await balance()]).toEqual([1, 10]);
  });
});

describe('the fee of a late cancellation', () => {
  const late = { motivo: 'aluno_fora_do_prazo', aplicar_politica: true };
  const feeOf = 'Taxa de cancelamento fora do prazo · aula de sáb., 21 de nov., 14:00';
  let location_id: string;
  const policy = (terms: object = {}) =>
    trainer.api.put(`/locations/${location_id}/policy`, {
      cancel_limite_horas: 24,
      taxa_percent: 50,
      queima_credito: false,
      ...terms,
    });
  const book = async (hours = 5, student_id = studentId) => {
    const inicio = addHours(clock.at, hours);
    const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
    return (await trainer.api.post('/sessions', { student_id, location_id, ...times })).body.id;
  };
  const turn = (session_id: string, step: string, body: object = {}) =>
    trainer.api.post(`/sessions/${session_id}/${step}`, body);
  const cancelled = async (body: object = late) => {
    const session_id = await book();
    await turn(session_id, 'cancel', body);
    return session_id;
  };
  const charged = async (session_id: string) => (await list({ session_id })).items;
  const open = async () => (await list({ situacao: 'a_receber' })).items;
  const toCharge = async () => (await trainer.api.get<{ items: object[] }>('/sessions/to-charge')).body.items;

  beforeEach(async () => {
    location_id = (await trainer.api.post('/locations', { nome: 'Parque' })).body.id;
    await policy();
    await trainer.api.post(`/students/${studentId}/credits/renew`);
  });

  it('is a charge at once, due as others are, in what is expected, and not offered to be charged again', async () => {
    const session_id = await cancelled();
    expect(await charged(session_id)).toEqual([
      expect.objectContaining({
        origem: 'taxa',
        situacao: 'aberta',
        valor: 3_000,
        vencimento: '2026-11-24',
        descricao: feeOf,
      }),
    ]);
    expect([(await month()).previsto, await toCharge()]).toEqual([3_000, []]);
    expect(
      await refused(409, 'POST', '/charges', {
        student_id: studentId,
        session_id,
        descricao: 'Taxa',
        valor: 3_000,
        vencimento: '2026-11-25',
      }),
    ).toBe('charges.session_charged');
  });

  it('of a no-show says so, and includes the session where the student has no credit', async () => {
    await policy({ queima_credito: true });
    await trainer.api.post(`/students/${studentId}/credits/adjust`, { quantidade: -10, motivo: 'Acerto' });
    const session_id = await book(-1);
    await turn(session_id, 'cancel', { motivo: 'falta', aplicar_politica: true });
    expect(await charged(session_id)).toMatchObject([
      { origem: 'taxa', valor: 9_000, descricao: 'Aula e taxa de falta · sáb., 21 de nov., 8:00' },
    ]);
    expect(await toCharge()).toEqual([]);
  });

  it('is no charge where it is forgiven, or the cancellation costs nothing', async () => {
    await cancelled({ ...late, aplicar_politica: false, justificativa: 'Doente' });
    await cancelled({ motivo: 'personal' });
    expect(await open()).toEqual([]);
  });

  it('is cancelled when the session is reopened, deleted or settled otherwise, and comes back with the undo', async () => {
    const session_id = await cancelled();
    const { id } = (await charged(session_id))[0]!;
    const situation = async () => (await charged(session_id)).map(({ situacao }) => situacao);
    await turn(session_id, 'reopen', { de: 'cancelada' });
    expect(await situation()).toEqual(['cancelada']);
    expect(await refused(409, 'POST', `/charges/${id}/restore`)).toBe('charges.nothing_to_charge');
    await turn(session_id, 'cancel', { ...late, de_novo: 'agendada' });
    expect(await situation()).toEqual(['aberta']);
    await trainer.api.delete(`/sessions/${session_id}`);
    expect(await situation()).toEqual(['cancelada']);
    await turn(session_id, 'restore');
    expect(await situation()).toEqual(['aberta']);
    await turn(session_id, 'complete');
    expect(await situation()).toEqual(['cancelada']);
    await turn(session_id, 'cancel', { ...late, de_novo: 'feita' });
    expect(await situation()).toEqual(['aberta']);
  });

  it('stays forgiven once its charge was cancelled by hand, also after undoing', async () => {
    const session_id = await cancelled();
    await turn(session_id, 'reopen');
    await turn(session_id, 'cancel', late);
    const { id } = (await open())[0]!;
    await trainer.api.post(`/charges/${id}/cancel`);
    expect([await open(), await toCharge()]).toEqual([[], []]);
    await turn(session_id, 'reopen');
    expect(await refused(409, 'POST', `/charges/${id}/restore`)).toBe('charges.nothing_to_charge');
    await turn(session_id, 'cancel', { ...late, de_novo: 'agendada' });
    expect([await open(), await toCharge()]).toEqual([[], []]);
    await trainer.api.post(`/charges/${id}/restore`);
    expect(await open()).toMatchObject([{ id }]);
  });

  it('is asked of the student who gets the session, and of the former one again with the undo', async () => {
    const session_id = await cancelled();
    const bia = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214322' })).body.id;
    const give = (body: object) => trainer.api.patch(`/sessions/${session_id}`, body);
    const owing = async () => (await open()).map(({ student_id, valor }) => [student_id, valor]);
    await give({ student_id: bia });
    expect([await owing(), await toCharge()]).toEqual([[[bia, 3_000]], []]);
    await give({ student_id: studentId, se_ainda: { student_id: bia } });
    expect([await owing(), await toCharge()]).toEqual([[[studentId, 3_000]], []]);
  });

  it('is refused while money was paid for the session, which has one charge, unless it is forgiven', async () => {
    const session_id = await cancelled();
    const { id } = (await charged(session_id))[0]!;
    await pay(id, 1_000);
    await turn(session_id, 'reopen');
    expect(await refused(409, 'POST', `/sessions/${session_id}/cancel`, late)).toBe(
      'charges.session_charged',
    );
    await turn(session_id, 'cancel', { ...late, aplicar_politica: false, justificativa: 'Já pagou' });
    expect(await open()).toMatchObject([{ id, falta: 2_000 }]);
  });

  it('of one session of a series is charged once, and cancelled with the undo of the cancellation', async () => {
    const serie = await trainer.api.post('/series', {
      student_id: studentId,
      location_id,
      data: '2026-11-21',
      hora: '14:00',
      duracao: 60,
      dias: [6],
      intervalo: 1,
      vezes: 3,
    });
    const { items } = (await trainer.api.get<{ items: { id: string }[] }>('/sessions')).body;
    const first = items[0]!.id;
    const done = await trainer.api.post<{ mudanca_id: string }>(`/sessions/${first}/series/cancel`, {
      ...late,
      escopo: 'todas',
    });
    expect(await open()).toMatchObject([{ session_id: first, valor: 3_000 }]);
    await trainer.api.post(`/series/${serie.body.id}/undo`, { mudanca_id: done.body.mudanca_id });
    expect(await open()).toEqual([]);
  });
});

it('the history describes the events, and a rebuild gives the same rows', async () => {
  const id = await issue();
  await trainer.api.patch(`/charges/${id}`, { valor: 50_000 });
  const { payment_id } = await pay(id, 20_000);
  const [receita] = await entries();
  await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
  const { body } = await trainer.api.get<{ items: { texto: string }[] }>('/history', {
    query: { subject: `charge:${id}` },
  });
  expect(body.items.map(({ texto }) => texto)).toEqual([
    'Desfez o pagamento de R$\u00a0200,00',
    'Registrou o pagamento de R$\u00a0200,00 em 20/11/2026 (Pix), faltam R$\u00a0300,00',
    'Alterou a cobrança: valor de R$\u00a0600,00 para R$\u00a0500,00',
    'Emitiu a cobrança com vencimento em 25/11/2026: Pacote 10',
  ]);
  const entry = await trainer.api.get<{ items: { texto: string }[] }>('/history', {
    query: { subject: `transaction:${receita!.id}` },
  });
  // Once each, by the receita's own events.
  expect(entry.body.items.map(({ texto }) => texto)).toEqual([
    expect.stringMatching(/^Estornou a receita/),
    expect.stringMatching(/^Registrou a receita/),
  ]);
  await trainer.api.put('/settings/pix', { tipo: 'email', chave: 'a@b.co', nome: 'Ana', cidade: 'Rio' });
  for (const name of ['charges', 'charge-payments', 'pix-accounts'])
    await expectRebuildToEqualLive(app, name);
});
