import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeDetail, PaymentDone, PaymentUndone } from '../../backend/modules/charges/charges.api.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { MonthSummary, TransactionPage } from '../../backend/modules/finance/finance.api.js';
import { arrivedPix } from '../../backend/modules/charges/arrived-pix.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

const clock = new SetClock(new Date('2026-11-21T12:00:00Z'));
let trainer: Trainer;
let studentId: string;
let planId: string;
let hook: PixHook;

interface Pix {
  endToEndId: string;
  txid?: string;
  valor: string;
  horario: string;
}

/**
 * A provider with the API Pix: it can be called for payments, and sends notices to the address that was registered with
 * it.
 */
class Provider {
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const pix = JSON.parse(Buffer.concat(chunks).toString()) as Pix[];
        response.end(String(await this.tell({ pix })));
      })();
    }).listen(0, '127.0.0.1');
  }

  /** Sends notices like a provider after its own retry; returns our status. */
  async tell(body: object, secret = hook.segredo, url = new URL(hook.url).pathname): Promise<number> {
    const bytes = JSON.stringify(body);
    const signature = createHmac('sha256', secret).update(bytes).digest('hex');
    const answer = await fetch(app.url + url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-signature': `sha256=${signature}` },
      body: bytes,
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async paid(...pix: Pix[]): Promise<number> {
    const { port } = this.server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(pix) });
    return Number(await answer.text());
  }

  close() {
    this.server.close();
  }
}

const database = await testDatabase();
const app = await sharedApp(clock);
const provider = new Provider();
afterAll(() => provider.close());

beforeEach(async () => {
  trainer = await signUp(app);
  planId = (await trainer.api.post('/plans', { nome: 'Pacote 10', valor: 60_000, creditos: 10 })).body.id;
  studentId = (
    await trainer.api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655', plano_id: planId })
  ).body.id;
  hook = (await trainer.api.get<PixHook>('/settings/pix/webhook')).body;
});

const issue = async () => {
  const { id } = (
    await trainer.api.post('/charges', {
      student_id: studentId,
      plano_id: planId,
      descricao: 'Pacote 10',
      valor: 60_000,
      vencimento: '2026-11-25',
    })
  ).body;
  return { id, txid: `R0${id.replaceAll('-', '').slice(0, 23).toUpperCase()}` };
};
let count = 0;
const pix = (more: Partial<Pix> = {}): Pix => ({
  endToEndId: `E60701190202611211200${String((count += 1)).padStart(11, '0')}`,
  valor: '600.00',
  horario: '2026-11-21T11:58:03.000Z',
  ...more,
});
const get = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
const recebido = async () => (await trainer.api.get<MonthSummary>('/finance/months/2026-11')).body.recebido;
const balance = async () =>
  (await trainer.api.get<CreditStatement>(`/students/${studentId}/credits`)).body.saldo;
const toDecide = async () => (await trainer.api.get<UndecidedPage>('/arrived-pix')).body.items;
/** Reads after a notice, which has no position. */
const settled = () =>
  trainer.api.put('/settings/pix', { tipo: 'email', chave: `${randomUUID()}@a.co`, nome: 'A', cidade: 'B' });

describe('a payment that a provider reports', () => {
  it('settles the charge that it names, once, however often and in whatever order notices arrive', async () => {
    const [first, second] = [await issue(), await issue()];
    const [one, two] = [pix({ txid: first.txid }), pix({ txid: second.txid })];
    expect(await provider.paid(two, one, two)).toBe(204);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => provider.paid(one)));
    expect(new Set(statuses)).toEqual(new Set([204]));
    await settled();
    expect([await get(first.id), await get(second.id)]).toMatchObject([
      { situacao: 'paga', pagamentos: [{ valor: 60_000, metodo_pagamento: 'pix', data: '2026-11-21' }] },
      { situacao: 'paga' },
    ]);
    expect([await recebido(), await balance(), await toDecide()]).toEqual([120_000, 20, []]);
  });

  it('that is reported hundreds of times counts once', async () => {
    const { id, txid } = await issue();
    const one = { pix: [pix({ txid })] };
    const statuses = new Set<number>();
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => provider.tell(one)));
      for (const status of answers) statuses.add(status);
    }
    await settled();
    expect([...statuses]).toEqual([204]);
    expect((await get(id)).pagamentos).toHaveLength(1);
    expect([await recebido(), await balance(), await toDecide()]).toEqual([60_000, 10, []]);
  });

  it('is refused without the right signature, and writes nothing', async () => {
    const { id, txid } = await issue();
    const arrived = () => database.query(`select from events where type = 'PixArrived'`);
    const before = (await arrived()).length;
    const body = { pix: [pix({ txid })] };
    expect(await provider.tell(body, 'another secret')).toBe(401);
    const stranger = await signUp(app);
    const theirs = (await stranger.api.get<PixHook>('/settings/pix/webhook')).body;
    expect(await provider.tell(body, theirs.segredo)).toBe(401);
    expect(await provider.tell(body, hook.segredo, `/pix/v1/${randomUUID()}`)).toBe(401);
    expect(await arrived()).toHaveLength(before);
    expect((await get(id)).situacao).toBe('aberta');
    expect(await provider.tell({ pix: [{ ...pix({ txid }), valor: '-1.00' }] })).toBe(400);
    expect(await recebido()).toBe(0);
  });

  it('signed with the previous secret is accepted for three days after that was replaced', async () => {
    const [first, second, third] = [await issue(), await issue(), await issue()];
    const before = hook.segredo;
    await trainer.api.post('/settings/pix/webhook/secret');
    const after = (await trainer.api.get<PixHook>('/settings/pix/webhook')).body;
    expect(after).toEqual({
      url: hook.url,
      segredo: expect.not.stringContaining(before),
      anterior_ate: '2026-11-24T12:00:00.000Z',
    });
    const told = (txid: string, secret: string) => provider.tell({ pix: [pix({ txid })] }, secret);
    expect([await told(first.txid, before), await told(second.txid, after.segredo)]).toEqual([204, 204]);
    clock.at = new Date('2026-11-24T12:00:00Z');
    expect([await told(third.txid, before), await told(third.txid, after.segredo)]).toEqual([401, 204]);
    clock.at = new Date('2026-11-21T12:00:00Z');
    await settled();
    expect(await recebido()).toBe(180_000);
    await expectRebuildToEqualLive(app, 'pix-hooks');
  });

  it('below the amount due leaves the rest open; above it, the rest is to be decided', async () => {
    const { id, txid } = await issue();
    await provider.paid(pix({ txid, valor: '200.00' }));
    await settled();
    expect(await get(id)).toMatchObject({ situacao: 'aberta', falta: 40_000 });
    await provider.paid(pix({ txid, valor: '450.00' }));
    await settled();
    expect(await get(id)).toMatchObject({ situacao: 'paga', falta: 0 });
    expect(await toDecide()).toMatchObject([{ valor: 5_000, charge_id: id, student_nome: 'Ana' }]);
    expect([await recebido(), await balance()]).toEqual([60_000, 10]);
    await trainer.api.post(`/arrived-pix/${(await toDecide())[0]!.id}/decide`, { decisao: 'receita' });
    expect(await recebido()).toBe(65_000);
    const entries = (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11' } }))
      .body.items;
    // What was paid beyond the charge has no charge that names its student.
    expect(entries.filter(({ cobranca }) => cobranca === null)).toMatchObject([
      { valor: 5_000, student_id: studentId, aluno: 'Ana' },
    ]);
  });

  it('for a cancelled charge counts nowhere until the trainer decides, once, whether it is income', async () => {
    const { id, txid } = await issue();
    await trainer.api.post(`/charges/${id}/cancel`);
    await provider.paid(pix({ txid }), pix({ txid, valor: '1.00' }));
    await settled();
    expect([(await get(id)).situacao, await recebido(), await balance()]).toEqual(['cancelada', 0, 0]);
    const [whole, cents] = (await toDecide()).toSorted((one, other) => other.valor - one.valor);
    await trainer.api.post(`/arrived-pix/${whole!.id}/decide`, { decisao: 'fora' });
    await trainer.api.post(`/arrived-pix/${cents!.id}/decide`, { decisao: 'receita' });
    expect([await recebido(), await toDecide()]).toEqual([100, []]);
    const again = await trainer.api.request('POST', `/api/v1/arrived-pix/${whole!.id}/decide`, {
      body: { decisao: 'receita' },
    });
    expect([again.status, await recebido()]).toEqual([409, 100]);
  });

  it('is to be decided again, and counts nowhere, once its decision is undone', async () => {
    const { id, txid } = await issue();
    await trainer.api.post(`/charges/${id}/cancel`);
    await provider.paid(pix({ txid }), pix({ valor: '7.00' }));
    await settled();
    const items = await toDecide();
    const step = async ({ id: pixId }: { id: string }, to: string, body?: object) =>
      (await trainer.api.request('POST', `/api/v1/arrived-pix/${pixId}/${to}`, { body })).status;
    const [whole, foreign] = items.toSorted((one, other) => other.valor - one.valor);
    expect(await step(whole!, 'reopen')).toBe(409);
    const rounds = [
      { one: whole!, decisao: 'fora', during: 0 },
      { one: whole!, decisao: 'receita', during: 60_000 },
      { one: whole!, decisao: 'fora', during: 0 },
      { one: foreign!, decisao: 'receita', during: 700 },
      { one: foreign!, decisao: 'fora', during: 0 },
    ];
    for (const { one, decisao, during } of rounds) {
      await step(one, 'decide', { decisao });
      expect([(await toDecide()).length, await recebido()]).toEqual([1, during]);
      expect(await step(one, 'reopen')).toBe(200);
      expect([await toDecide(), await recebido()]).toEqual([items, 0]);
    }
    expect(await toldOf(trainer.api, `charge:${id}`)).toContain(
      'Desfez a decisão sobre R$\u00a0600,00 de um Pix',
    );
    await expectRebuildToEqualLive(app, 'arrived-pix');
  });

  it('of a clock that is ahead is of today', async () => {
    const { id, txid } = await issue();
    const horario = '2026-11-23T10:00:00.000Z';
    expect(await provider.paid(pix({ txid, horario }), pix({ horario, valor: '7.00' }))).toBe(204);
    await settled();
    expect(await get(id)).toMatchObject({ situacao: 'paga', pagamentos: [{ data: '2026-11-21' }] });
    expect(await toDecide()).toMatchObject([{ valor: 700, data: '2026-11-21' }]);
  });

  it('whose rest an earlier version recorded as income counts once when it is decided', async () => {
    const { id } = await issue();
    const entry = {
      tipo: 'receita',
      descricao: 'Pix a decidir',
      valor: 700,
      data: '2026-11-21',
      metodo_pagamento: 'pix',
    };
    const entryId = (await trainer.api.post('/transactions', entry)).body.id;
    const pixId = randomUUID();
    const context = { ...nobodyOf(trainer.tenantId, 'America/Sao_Paulo', 'test') };
    await app.nest.get(EventStore).transact({ context }, (tx) => {
      const data = {
        pix_id: pixId,
        end_to_end_id: 'E1',
        txid: null,
        valor: 700,
        aplicado: 0,
        data: '2026-11-21',
        charge_id: id,
        student_id: studentId,
        payment_id: null,
        ja_registrado: false,
        transaction_id: entryId,
        partes: [],
      };
      tx.append(arrivedPix, pixId, [{ type: 'PixArrived', data }]);
      return { id };
    });
    await settled();
    const step = async (to: string, body?: object) => {
      await trainer.api.request('POST', `/api/v1/arrived-pix/${pixId}/${to}`, { body });
      return recebido();
    };
    expect([await recebido(), await step('decide', { decisao: 'cobranca' })]).toEqual([700, 700]);
    expect([await step('decide', { decisao: 'receita' }), await step('reopen')]).toEqual([700, 0]);
    expect([await step('decide', { decisao: 'fora' }), await step('reopen')]).toEqual([0, 0]);
  });

  it('that names no charge is stored, and is no income until that is decided', async () => {
    await provider.paid(pix({ valor: '33.10' }), pix({ txid: 'OUTRACOISA', valor: '7.00' }));
    await settled();
    expect([
      await recebido(),
      (await toDecide()).map(({ valor }) => valor).toSorted((a, b) => a - b),
    ]).toEqual([0, [700, 3_310]]);
    for (const { id } of await toDecide())
      await trainer.api.post(`/arrived-pix/${id}/decide`, { decisao: 'receita' });
    expect(await recebido()).toBe(4_010);
    await expectRebuildToEqualLive(app, 'arrived-pix');
  });
});

describe('a payment that the trainer recorded by hand', () => {
  const pay = (id: string, more: object = {}) =>
    trainer.api.request<PaymentDone>('POST', `/api/v1/charges/${id}/payments`, {
      body: { valor: 60_000, data: '2026-11-20', metodo_pagamento: 'pix', ...more },
    });
  const counted = async () => [
    await recebido(),
    await balance(),
    (await toDecide()).map(({ valor }) => valor),
  ];
  const undo = (id: string, payment: string) =>
    trainer.api.post<PaymentUndone>(`/charges/${id}/payments/${payment}/reverse`);
  const told = (id: string) => toldOf(trainer.api, `charge:${id}`);

  it('is the Pix that a notice reports later, also if it was refunded meanwhile', async () => {
    const [first, second] = [await issue(), await issue()];
    await pay(first.id);
    await provider.paid(pix({ txid: first.txid }));
    const { payment_id } = (await pay(second.id)).body;
    await trainer.api.post(`/charges/${second.id}/payments/${payment_id}/refund`, {
      valor: 60_000,
      valor_atual: 60_000,
      creditos: 10,
      motivo: 'mudou de cidade',
    });
    await provider.paid(pix({ txid: second.txid }));
    await settled();
    expect(await counted()).toEqual([60_000, 10, []]);
    expect(await told(first.id)).toContain(
      'Recebeu o aviso de um Pix de R$\u00a0600,00 em 21/11/2026: é o pagamento já registrado',
    );
    await provider.paid(pix({ txid: first.txid }));
    await settled();
    expect(await counted()).toEqual([60_000, 10, [60_000]]);
  });

  it.each([
    ['of another amount', { valor: 50_000 }, [60_000, 10, [50_000]]],
    ['by another method', { metodo_pagamento: 'dinheiro' }, [60_000, 10, [60_000]]],
    ['of another week', { data: '2026-11-10' }, [60_000, 10, [60_000]]],
  ])('is another payment %s', async (_what, more, expected) => {
    const { id, txid } = await issue();
    await pay(id, more);
    await provider.paid(pix({ txid }));
    await settled();
    expect(await counted()).toEqual(expected);
  });

  it('is counted once in whatever order it and its notice come, in full or in part', async () => {
    for (const valor of [60_000, 20_000]) {
      const { id, txid } = await issue();
      const one = pix({ txid, valor: `${valor / 100}.00` });
      const before = await recebido();
      const [paid] = await Promise.all([pay(id, { valor }), provider.paid(one), provider.paid(one)]);
      await settled();
      expect(await recebido()).toBe(before + valor);
      expect([201, 409]).toContain(paid.status);
      expect(await toDecide()).toEqual([]);
    }
  });

  it('in part is refused after its notice, unless it is said to be another one, which its own notice then is', async () => {
    const { id, txid } = await issue();
    await provider.paid(pix({ txid, valor: '200.00' }));
    expect((await pay(id, { valor: 20_000 })).body).toMatchObject({ code: 'charges.pix_told' });
    const line = { chave: 'ofx/told', data: '2026-11-21', valor: 20_000, charge_id: id };
    expect(
      (await trainer.api.request('POST', '/api/v1/bank-lines/settle', { body: line })).body,
    ).toMatchObject({ code: 'charges.pix_told' });
    await trainer.api.post('/bank-lines/settle', { ...line, mesmo_assim: true });
    await provider.paid(pix({ txid, valor: '200.00' }));
    await settled();
    expect([await recebido(), (await get(id)).falta, await toDecide()]).toEqual([40_000, 20_000, []]);
  });

  it('takes the Pix that waits for a decision, as one from a line of a statement does', async () => {
    const [first, second] = [await issue(), await issue()];
    for (const { id } of [first, second]) await trainer.api.post(`/charges/${id}/cancel`);
    await provider.paid(pix({ txid: first.txid }), pix({ txid: second.txid }));
    for (const { id } of [first, second]) await trainer.api.post(`/charges/${id}/restore`);
    expect(await toDecide()).toMatchObject([{ paga_cobranca: true }, { paga_cobranca: true }]);
    await pay(first.id);
    await trainer.api.post('/bank-lines/settle', {
      chave: 'ofx/1',
      data: '2026-11-21',
      valor: 60_000,
      charge_id: second.id,
    });
    expect(await counted()).toEqual([120_000, 20, []]);
    expect(await told(first.id)).toContain(
      'O pagamento registrado é o Pix de R$\u00a0600,00 já avisado pelo provedor',
    );
  });

  it('or by a notice is to be decided again once it is undone, and can pay the charge again', async () => {
    const { id, txid } = await issue();
    await provider.paid(pix({ txid, valor: '650.00' }));
    await settled();
    await trainer.api.post(`/arrived-pix/${(await toDecide())[0]!.id}/decide`, { decisao: 'receita' });
    const [payment] = (await get(id)).pagamentos;
    expect((await undo(id, payment!.id)).body).toMatchObject({ pix_a_decidir: true });
    expect(await counted()).toEqual([5_000, 0, [60_000]]);
    const pixId = (await toDecide())[0]!.id;
    await trainer.api.post(`/arrived-pix/${pixId}/decide`, { decisao: 'cobranca' });
    expect(await counted()).toEqual([65_000, 10, []]);
    const again = (await get(id)).pagamentos.find(({ estornado }) => !estornado)!;
    expect(again).toMatchObject({ valor: 60_000, data: '2026-11-21' });
    await undo(id, again.id);
    await trainer.api.post(`/arrived-pix/${pixId}/reopen`);
    expect(await counted()).toEqual([0, 0, [65_000]]);
    await expectRebuildToEqualLive(app, 'arrived-pix');
  });

  it('without a notice leaves no Pix when it is undone', async () => {
    const { id } = await issue();
    const { payment_id } = (await pay(id)).body;
    expect((await undo(id, payment_id)).body).toMatchObject({ pix_a_decidir: false });
    expect(await counted()).toEqual([0, 0, []]);
  });
});
