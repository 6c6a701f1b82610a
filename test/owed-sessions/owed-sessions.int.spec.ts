import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import fc from 'fast-check';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { OwedSessionsPage, OwedStudent } from '../../backend/modules/owed-sessions/owed-sessions.api.js';
import type { Client } from '../support/client.js';
import { SetClock, dayOf } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { recountOwed } from './recount.js';

const NOW = new Date('2026-11-10T12:00:00Z');
const clock = new SetClock(NOW);
const app = await sharedApp(clock);

const owedIn = async (api: Client, month = '2026-11') =>
  (await api.get<OwedSessionsPage>('/finance/owed-sessions', { query: { month, limit: 100 } })).body;

describe('what is owed', () => {
  let trainer: Trainer;
  let api: Client;
  let planId: string;
  const paying = (valor: number) => ({ valor, data: dayOf(clock.at), metodo_pagamento: 'pix' });
  const student = async (nome: string, plano_id: string | null = planId) =>
    (await api.post('/students', { nome, telefone: '(11) 98877-6655', plano_id })).body.id;
  /** Pays the plan; returns the charge with its payment. */
  const buy = async (id: string, valor: number) =>
    (
      await api.post<{ id: string; payment_id: string }>(
        `/students/${id}/credits/renew/payment`,
        paying(valor),
      )
    ).body;
  const use = (id: string) => api.post(`/students/${id}/credits/consume`, { motivo: 'Aula' });
  const lots = ({ lotes }: OwedStudent) =>
    lotes.map(({ sessoes, valor, origem }) => [origem, sessoes, valor]);

  beforeAll(async () => {
    trainer = await signUp(app);
    ({ api } = trainer);
    const plan = { nome: 'Pacote 3', valor: 10_000, creditos: 3, validade_dias: 20 };
    planId = (await api.post('/plans', plan)).body.id;
  });

  it('is nothing before anything was paid', async () => {
    const { items, total } = await owedIn(api);
    expect(items).toEqual([]);
    expect(total).toMatchObject({ alunos: 0, sessoes: 0, valor: 0, sem_valor: 0, recebido: 0 });
    expect(total.meta_reserva).toBe(100_000);
  });

  it('is the rest of a purchase at the price of each credit, to the cent, wherever its credits are', async () => {
    const [ana, bia] = [await student('Ana'), await student('Bia')];
    await buy(ana, 10_000);
    await use(ana);
    expect((await owedIn(api)).total).toMatchObject({
      alunos: 1,
      sessoes: 2,
      valor: 6_666,
      recebido: 10_000,
      dadas: { sessoes: 1, valor: 3_334 },
    });
    await api.post(`/students/${ana}/credits/transfer`, { para: bia, quantidade: 1, motivo: 'Irmã dela' });
    expect((await owedIn(api)).items.map((each) => [each.nome, lots(each)])).toEqual(
      expect.arrayContaining([
        ['Ana', [['compra', 1, 3_333]]],
        ['Bia', [['transferencia', 1, 3_333]]],
      ]),
    );
  });

  it('is nothing for credits that nobody paid, and counts a partial payment as money without sessions', async () => {
    const [caio, davi] = [await student('Caio'), await student('Davi')];
    await api.post(`/students/${caio}/credits/adjust`, { quantidade: 2, motivo: 'Presente' });
    await api.post(`/students/${davi}/credits/renew`);
    const before = (await owedIn(api)).total;
    expect(before).toMatchObject({ sessoes: 2, sem_valor: 5 });
    // What was granted before is paid in part: its credits are there already.
    await buy(davi, 3_000);
    const charge = { plano_id: planId, descricao: 'Pacote', valor: 9_000, vencimento: '2026-11-20' };
    const { id } = (await api.post('/charges', { student_id: caio, ...charge })).body;
    await api.post(`/charges/${id}/payments`, paying(500));
    const { items, total } = await owedIn(api);
    expect(items.find((each) => each.id === davi)?.lotes).toMatchObject([{ sessoes: 3, valor: 3_000 }]);
    expect(items.find((each) => each.id === caio)?.lotes).toMatchObject([
      { id, origem: 'entrada', sessoes: 0, valor: 500 },
    ]);
    expect([total.sem_valor, total.sessoes]).toEqual([2, 5]);
    // The rest of it brings the credits, until it is undone.
    const own = async () => (await owedIn(api)).items.find((each) => each.id === caio)?.lotes;
    const rest = await api.post<{ payment_id: string }>(`/charges/${id}/payments`, paying(8_500));
    expect(await own()).toMatchObject([{ origem: 'compra', sessoes: 3, valor: 9_000 }]);
    await api.post(`/charges/${id}/payments/${rest.body.payment_id}/reverse`);
    expect(await own()).toMatchObject([{ id, origem: 'entrada', sessoes: 0, valor: 500 }]);
  });

  it('is less by what was refunded, and what expires is earned without a session on its last day', async () => {
    const eva = await student('Eva');
    const { id, payment_id } = await buy(eva, 9_000);
    await use(eva);
    const own = async () => (await owedIn(api)).items.find((each) => each.id === eva);
    const refund = { valor: 3_000, valor_atual: 9_000, creditos: 1, motivo: 'Mudou de cidade' };
    await api.post(`/charges/${id}/payments/${payment_id}/refund`, refund);
    expect(await own()).toMatchObject({ sessoes: 1, valor: 3_000 });
    clock.at = addDays(NOW, 25);
    expect(await own()).toBeUndefined();
    // One of Ana, Bia and Eva each, and three of Davi.
    expect((await owedIn(api)).total.sem_sessao).toEqual({
      sessoes: 6,
      valor: 3_333 + 3_333 + 3_000 + 3_000,
    });
    clock.at = NOW;
  });

  it('is listed page by page, most first, and written as a spreadsheet', async () => {
    const all = await owedIn(api);
    const found: OwedStudent[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const query = { month: '2026-11', limit: 1, ...(cursor && { cursor }) };
      const { body } = await api.get<OwedSessionsPage>('/finance/owed-sessions', { query });
      found.push(...body.items);
      expect(body.total).toEqual(all.total);
      cursor = body.next ?? undefined;
    }
    expect(found).toEqual(all.items);
    const { body } = await api.get<string>('/finance/owed-sessions/sheet');
    const [header, ...rows] = body.trim().split('\r\n');
    expect(header).toContain('Aluno;Plano;Origem;Sessões a dar;Valor;Validade');
    expect(rows).toHaveLength(all.items.flatMap(({ lotes }) => lotes).length);
    expect(rows.some((row) => row.startsWith('Bia;Pacote 3;Transferência;1;33,33;30/11/2026'))).toBe(true);
  });
});

const step = fc.record({
  kind: fc.constantFrom(
    ...(['buy', 'buy', 'issue', 'pay', 'pay', 'reverse', 'refund', 'refund', 'cancel', 'restore'] as const),
    ...([
      'grant',
      'grant',
      'ungrant',
      'use',
      'use',
      'give',
      'give',
      'give',
      'reopen',
      'adjust',
      'adjust',
    ] as const),
    ...(['send', 'send', 'unsend', 'call', 'call', 'wait', 'wait', 'merge'] as const),
  ),
  one: fc.nat(),
  other: fc.nat(),
  valor: fc.integer({ min: 1, max: 30_000 }),
  isWhole: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Known {
  api: Client;
  locationId: string;
  plans: string[];
  students: string[];
  charges: string[];
  lots: [student: string, lot: string][];
  sessions: string[];
  transfers: string[];
}

const picked = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % items.length];

/** Does something, which the system may refuse. */
async function take(known: Known, { kind, one, other, valor, isWhole }: Step): Promise<void> {
  const { api, students, charges } = known;
  const ask = async (path: string, body?: unknown): Promise<Record<string, string> | null> => {
    const answer = await api.request<Record<string, string>>('POST', `/api/v1${path}`, { body });
    expect(answer.status).toBeLessThan(500);
    return answer.status < 300 ? answer.body : null;
  };
  const id = picked(students, one)!;
  const chargeId = picked(charges, other);
  const money = { data: dayOf(clock.at), metodo_pagamento: 'pix' };
  const open = async () => (await api.get<ChargePage['items'][number]>(`/charges/${chargeId}`)).body;
  switch (kind) {
    case 'buy': {
      const done = await ask(`/students/${id}/credits/renew/payment`, { valor, ...money });
      if (done && !charges.includes(done.id!)) charges.push(done.id!);
      return;
    }
    case 'issue': {
      const plano_id = picked(known.plans, other);
      const body = {
        student_id: id,
        plano_id,
        descricao: 'Plano',
        valor,
        vencimento: dayOf(addDays(clock.at, 9)),
      };
      const done = await ask('/charges', body);
      if (done) charges.push(done.id!);
      return;
    }
    case 'pay':
    case 'reverse':
    case 'refund': {
      if (chargeId === undefined) return;
      const { falta, pagamentos, creditos } = await open();
      const paid = picked(
        pagamentos.filter((each) => !each.estornado),
        one,
      );
      if (kind === 'pay')
        await ask(`/charges/${chargeId}/payments`, {
          valor: isWhole ? falta : Math.ceil(falta / 3),
          ...money,
        });
      else if (paid && kind === 'reverse') await ask(`/charges/${chargeId}/payments/${paid.id}/reverse`);
      else if (paid) {
        const back = { valor: isWhole ? paid.valor : Math.ceil(paid.valor / 4), valor_atual: paid.valor };
        const taken = Math.min(one % 3, creditos);
        await ask(`/charges/${chargeId}/payments/${paid.id}/refund`, {
          ...back,
          creditos: taken,
          motivo: 'Pediu',
        });
      }
      return;
    }
    case 'cancel':
    case 'restore':
      if (chargeId !== undefined) await ask(`/charges/${chargeId}/${kind}`);
      return;
    case 'grant': {
      const done = await ask(`/students/${id}/credits/renew`);
      if (done) known.lots.push([id, done.lot_id!]);
      return;
    }
    case 'ungrant': {
      const [owner, lot] = picked(known.lots, other) ?? [];
      if (lot !== undefined) await ask(`/students/${owner}/credits/grants/${lot}/undo`);
      return;
    }
    case 'use':
      await ask(`/students/${id}/credits/consume`, { motivo: 'Aula' });
      return;
    case 'adjust':
      await ask(`/students/${id}/credits/adjust`, {
        quantidade: isWhole ? -1 : (one % 3) + 1,
        motivo: 'Acerto',
      });
      return;
    case 'give':
    case 'call': {
      const inicio = addDays(clock.at, (other % 9) - (kind === 'give' ? 9 : 0));
      inicio.setUTCHours(one % 24, (other % 4) * 15);
      const fim = new Date(+inicio + 15 * 60_000);
      const times = { inicio: inicio.toISOString(), fim: fim.toISOString() };
      const about = { student_id: id, location_id: known.locationId, permitir_conflito: true };
      const done = await ask('/sessions', { ...about, ...times });
      if (!done) return;
      known.sessions.push(done.id!);
      const motivo = picked(['aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'], one);
      await ask(
        `/sessions/${done.id}/${kind === 'give' ? 'complete' : 'cancel'}`,
        kind === 'give' ? undefined : { motivo },
      );
      return;
    }
    case 'reopen': {
      const session = picked(known.sessions, other);
      if (session !== undefined) await ask(`/sessions/${session}/reopen`);
      return;
    }
    case 'send': {
      const para = picked(students, other);
      const done = await ask(`/students/${id}/credits/transfer`, {
        para,
        quantidade: (one % 2) + 1,
        motivo: 'Irmãos',
      });
      if (done) known.transfers.push(done.id!);
      return;
    }
    case 'unsend': {
      const transfer = picked(known.transfers, other);
      if (transfer !== undefined) await ask(`/credits/transfers/${transfer}/undo`);
      return;
    }
    case 'wait':
      clock.at = addDays(clock.at, one % 6);
      return;
    case 'merge': {
      const com = picked(students, other)!;
      if (students.length > 2 && com !== id && (await ask(`/students/${id}/merge`, { com })))
        students.splice(students.indexOf(com), 1);
    }
  }
}

it('agrees with a count of credit by credit and cent by cent from the log, after random histories', async () => {
  const seed = Date.now() % 1_000_000;
  const months = [
    '2026-10',
    '2026-11',
    '2026-12',
    '2027-01',
    '2027-02',
    '2027-03',
    '2027-04',
    '2027-05',
    '2027-06',
  ];
  for (let round = 0; round < rounds(2, 30); round += 1) {
    clock.at = NOW;
    const trainer = await signUp(app);
    const { api } = trainer;
    await api.put('/settings/make-up', { ativo: true, teto_percent: 100, prazo_meses: 1 });
    const plans: string[] = [];
    for (const [creditos, validade_dias] of [
      [3, 20],
      [4, null],
      [7, 12],
    ])
      plans.push(
        (await api.post('/plans', { nome: `Pacote ${creditos}`, valor: 10_000, creditos, validade_dias }))
          .body.id,
      );
    const locationId = (await api.post('/locations', { nome: 'Parque' })).body.id;
    const students: string[] = [];
    for (const [n, nome] of ['Ana', 'Bia', 'Caio', 'Davi'].entries())
      students.push(
        (await api.post('/students', { nome, telefone: `(11) 98877-665${n}`, plano_id: plans[n % 3] })).body
          .id,
      );
    const known: Known = {
      api,
      locationId,
      plans,
      students,
      charges: [],
      lots: [],
      sessions: [],
      transfers: [],
    };
    const steps = fc.sample(step, { numRuns: rounds(60, 150), seed: seed + round });
    for (const [at, one] of steps.entries()) {
      await take(known, one).catch((cause: unknown) => {
        throw new Error(`seed ${seed + round}, step ${at}: ${JSON.stringify(one)}`, { cause });
      });
      if (at % 20 < 19) continue;
      await expectRecounted(trainer, months, `seed ${seed + round}, after step ${at}`);
    }
  }
});

async function expectRecounted({ api, tenantId }: Trainer, months: readonly string[], where: string) {
  const log = await recountOwed(tenantId, clock.at, months);
  let shared = log.valor;
  for (const mes of months) {
    const { items, total } = await owedIn(api, mes);
    const students = items.map(({ id, sessoes, valor, lotes }) => ({
      id,
      sessoes,
      valor,
      lotes: lotes
        .map((lot) => ({ id: lot.id, sessoes: lot.sessoes, valor: lot.valor }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    }));
    const { sessoes, valor, sem_valor, dadas, sem_sessao } = total;
    expect([where, mes, { students, sessoes, valor, sem_valor, dadas, sem_sessao }]).toEqual([
      where,
      mes,
      {
        students: log.students,
        sessoes: log.sessoes,
        valor: log.valor,
        sem_valor: log.sem_valor,
        ...log.months[mes],
      },
    ]);
    shared += dadas.valor + sem_sessao.valor;
  }
  // All that was paid for credits is owed, earned, or remained without a session.
  expect([where, shared]).toEqual([where, log.shared]);
}
