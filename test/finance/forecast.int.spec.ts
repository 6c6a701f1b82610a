import { expect, it } from '@jest/globals';
import { addDays, addHours, addMonths, subDays } from 'date-fns';
import fc from 'fast-check';
import { monthlyBilling } from '../../backend/modules/charges/billing.job.js';
import type { Why, WhyLink } from '../../backend/modules/audit/why.api.js';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { MonthSummary, TransactionPage } from '../../backend/modules/finance/finance.api.js';
import type { Forecast } from '../../backend/modules/finance/forecast.api.js';
import { caughtUp } from '../proof/read-tables.js';
import type { Client } from '../support/client.js';
import { SetClock, dayOf } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());
const database = await testDatabase();
const app = await sharedApp(clock);

/** Events are recorded at the machine's time, which is in this month. */
const MES = dayOf(new Date()).slice(0, 7);
const monthAfter = (count: number) => addMonths(`${MES}-15T12:00:00Z`, count).toISOString().slice(0, 7);
const [BEFORE, NEXT] = [monthAfter(-1), monthAfter(1)];
/** The month begins in São Paulo. */
const BEGIN = new Date(`${MES}-01T03:00:00Z`);
const at = (day: string) => new Date(`${day}T12:00:00Z`);

/** The month begins: what was recorded until now was recorded before. Returns what is predicted. */
async function begin({ api, tenantId }: Trainer): Promise<number> {
  await api.get('/charges');
  const [of, before] = [`where tenant_id = '${tenantId}'`, subDays(BEGIN, 1).toISOString()];
  await database.query(`
    set session_replication_role = replica;
    update events set recorded_at = '${before}' ${of};
    update read.charges set emitida_em = '${before}' ${of};
    update read.students set criado_em = '${before}' ${of};
    reset session_replication_role`);
  clock.at = BEGIN;
  return (await monthOf(api)).previsto;
}

const forecastOf = async (api: Client) =>
  (await api.get<Forecast>(`/finance/months/${MES}/forecast`, { query: { at: BEGIN.toISOString() } })).body;
const monthOf = async (api: Client) => (await api.get<MonthSummary>(`/finance/months/${MES}`)).body;
/** The amounts that the chain of previsto names: what the month adds up from, and of each part its lines. */
async function explainedIn(api: Client, mes: string) {
  await caughtUp(database);
  const ask = async (de: string) => {
    const { pergunta, elos } = (await api.get<Why>('/why', { query: { de } })).body;
    return { pergunta: plain(pergunta), elos: elos.map((elo) => ({ ...elo, texto: plain(elo.texto) })) };
  };
  const { pergunta, elos } = await ask(`expected:${mes}`);
  const parts: Record<string, { valor: number; lines: WhyLink[] }> = {};
  for (const { titulo, texto, de } of elos.slice(1)) {
    const lines = (await ask(de!)).elos;
    parts[titulo] = { valor: centsOf(texto), lines };
    const where = `${mes}: ${titulo} of ${JSON.stringify(parts)}`;
    expect([where, sum(lines.map((line) => centsOf(line.texto)))]).toEqual([where, centsOf(texto)]);
  }
  return { pergunta, parts, total: sum(Object.values(parts).map(({ valor }) => valor)) };
}
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
/** Of `−R$ 1.234,56: …`. */
function centsOf(text: string): number {
  const [, minus, reais, cents] = /^(\u2212?)R\$ ([\d.]+),(\d\d): /.exec(text)!;
  return Number(`${reais!.replaceAll('.', '')}${cents}`) * (minus ? -1 : 1);
}
const sumsIn = async (api: Client, mes: string) => {
  const { parts } = await explainedIn(api, mes);
  return Object.fromEntries(Object.entries(parts).map(([name, { valor }]) => [name, valor]));
};
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
const steps = ({ passos }: Forecast) => Object.fromEntries(passos.map(({ tipo, valor }) => [tipo, valor]));

async function business() {
  const trainer = await signUp(app);
  const { api } = trainer;
  const plan = async (tipo: string, valor: number) =>
    (await api.post('/plans', { nome: tipo, valor, creditos: 8, tipo })).body.id;
  const [mensal, pacote] = [await plan('mensal', 40_000), await plan('pacote', 60_000)];
  const student = async (nome: string) =>
    (await api.post('/students', { nome, telefone: '(11) 98877-6655' })).body.id;
  const agree = (id: string, valor: number) =>
    api.put(`/students/${id}/monthly-plan`, {
      plano_id: mensal,
      valor,
      desde: `${MES}-01`,
      ate: null,
      vence_dia: 5,
    });
  const charge = async (student_id: string, valor: number, vencimento: string, plano_id?: string) =>
    (await api.post('/charges', { student_id, plano_id, descricao: 'Cobrança', valor, vencimento })).body.id;
  const pay = async (id: string, valor: number, data = dayOf(clock.at)) =>
    (
      await api.post<{ payment_id: string }>(`/charges/${id}/payments`, {
        valor,
        data,
        metodo_pagamento: 'pix',
      })
    ).body.payment_id;
  return { trainer, api, mensal, pacote, student, agree, charge, pay };
}

it('previsto leads over its parts to what set each amount: who, when, and to the charge or the agreement', async () => {
  clock.at = at(`${BEFORE}-20`);
  const { api, student, agree, charge } = await business();
  expect(await explainedIn(api, MES)).toMatchObject({ pergunta: 'Por que o previsto é R$ 0,00?', parts: {} });
  const ana = await student('Ana');
  await agree(ana, 40_000);
  const id = await charge(ana, 90_000, `${MES}-10`);
  await api.patch(`/charges/${id}`, { valor: 80_050 });
  const { pergunta, parts } = await explainedIn(api, MES);
  expect(pergunta).toBe('Por que o previsto é R$ 1.200,50?');
  expect(parts).toMatchObject({
    'Mensalidades a cobrar': {
      valor: 40_000,
      lines: [{ de: `monthly:${ana}`, texto: expect.stringMatching(/mensal, com vencimento em 05/) }],
    },
    'Outras cobranças': {
      lines: [{ titulo: 'Ana', de: `charge:${id}`, texto: expect.stringMatching(/^R\$ 900,00: Cobrança, /) }],
    },
    Descontos: {
      lines: [{ titulo: 'Ana', de: `charge:${id}`, texto: expect.stringMatching(/^\u2212R\$ 99,50: /) }],
    },
  });
  const setting = Object.values(parts).flatMap(({ lines }) => lines);
  expect(setting.every(({ quem, quando, dispositivo }) => quem && quando && dispositivo !== '')).toBe(true);
  // What is agreed and was not billed does not count once the month is over.
  clock.at = at(`${NEXT}-15`);
  expect([(await monthOf(api)).previsto, await sumsIn(api, MES)]).toEqual([
    80_050,
    { 'Outras cobranças': 90_000, Descontos: -9_950 },
  ]);
  await api.get('/why', { query: { de: `expected:${MES}/taxa` }, status: 404 });
  await api.get('/why', { query: { de: `expected:${MES}-01` }, status: 400 });
});

it('each real between what was predicted and what came has its reason', async () => {
  clock.at = at(`${BEFORE}-20`);
  const { trainer, api, pacote, student, agree, charge, pay } = await business();
  const names = ['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Fabi', 'Gil', 'Hugo'] as const;
  const ids = {} as Record<(typeof names)[number], string>;
  for (const name of names) ids[name] = await student(name);
  await agree(ids.Ana, 40_000);
  await agree(ids.Bia, 41_000);
  await agree(ids.Caio, 42_000);
  const early = await charge(ids.Davi, 10_000, `${MES}-10`);
  const cheaper = await charge(ids.Davi, 20_000, `${MES}-11`);
  const dropped = await charge(ids.Eva, 5_000, `${MES}-12`);
  const late = await charge(ids.Eva, 7_000, `${MES}-13`);
  const moved = await charge(ids.Fabi, 8_000, `${MES}-14`);
  const refunded = await charge(ids.Gil, 9_000, `${MES}-15`);
  const old = await charge(ids.Hugo, 3_000, `${BEFORE}-25`);
  const next = await charge(ids.Hugo, 4_000, `${NEXT}-05`);
  await pay(early, 10_000);

  const previsto = await begin(trainer);
  expect(previsto).toBe(40_000 + 41_000 + 42_000 + 10_000 + 20_000 + 5_000 + 7_000 + 8_000 + 9_000);
  // Before it is billed: Bia pauses, and Caio stops.
  clock.at = addHours(BEGIN, 1);
  await api.put(`/students/${ids.Bia}/pause`, { ate: `${MES}-20` });
  expect(await sumsIn(api, MES)).toEqual({
    'Mensalidades a cobrar': 123_000,
    'Outras cobranças': 59_000,
    'Alunos em pausa': -41_000,
  });
  await api.delete(`/students/${ids.Caio}/monthly-plan`);
  await api.get(`/students/${ids.Caio}/monthly-plan`);
  clock.at = at(`${MES}-01`);
  await app.run(monthlyBilling.Handler);

  clock.at = at(`${MES}-20`);
  const anas = (await api.get<ChargePage>('/charges', { query: { student_id: ids.Ana } })).body.items;
  await pay(anas[0]!.id, 40_000);
  await api.patch(`/charges/${cheaper}`, { valor: 18_000 });
  await pay(cheaper, 18_000);
  await api.post(`/charges/${dropped}/cancel`);
  await api.patch(`/charges/${moved}`, { vencimento: `${NEXT}-14` });
  const payment = await pay(refunded, 9_000);
  const refund = { valor: 2_500, valor_atual: 9_000, creditos: 0, motivo: 'Choveu muito' };
  await api.post(`/charges/${refunded}/payments/${payment}/refund`, refund);
  await pay(old, 3_000);
  await pay(next, 4_000);
  const nina = await student('Nina');
  await pay(await charge(nina, 60_000, `${MES}-22`, pacote), 60_000);
  await pay(await charge(ids.Ana, 1_500, `${MES}-22`), 1_500);
  const entry = { tipo: 'receita', descricao: 'Aula no parque', metodo_pagamento: 'pix', data: `${MES}-20` };
  await api.post('/transactions', { ...entry, valor: 6_000 });

  const forecast = await forecastOf(api);
  expect([forecast.previsto, forecast.recebido]).toEqual([previsto, (await monthOf(api)).recebido]);
  expect(steps(forecast)).toEqual({
    pago_antes: -10_000,
    desconto: -2_000,
    estorno: -2_500,
    pausa: -41_000,
    encerrada: -42_000,
    cancelada: -5_000,
    adiada: -8_000,
    atraso: -7_000,
    atrasados: 3_000,
    adiantados: 4_000,
    novo_aluno: 60_000,
    outras: 1_500,
    sem_cobranca: 6_000,
  });
  expect(await sumsIn(api, MES)).toEqual({
    'Mensalidades cobradas': 40_000,
    'Pacotes e renovações': 60_000,
    'Outras cobranças': 47_500,
    Descontos: -2_000,
    Devoluções: -2_500,
  });
  expect(forecast.passos.find(({ tipo }) => tipo === 'atraso')!.linhas).toMatchObject([
    { id: late, origem: 'cobranca', aluno: 'Eva', valor: -7_000 },
  ]);
  // What is paid when the month is over did not come in it.
  clock.at = at(`${NEXT}-03`);
  await pay(late, 7_000);
  expect(steps(await forecastOf(api))).toMatchObject({ pago_depois: -7_000 });
});

const step = fc.record({
  kind: fc.constantFrom(
    ...(['charge', 'charge', 'charge', 'pay', 'pay', 'pay', 'pay', 'refund', 'reverse', 'cancel'] as const),
    ...([
      'restore',
      'change',
      'move',
      'agree',
      'end',
      'pause',
      'archive',
      'record',
      'undo',
      'bill',
      'bill',
    ] as const),
    ...(['register', 'merge', 'book', 'session', 'session'] as const),
  ),
  one: fc.nat(),
  other: fc.nat(),
  valor: fc.integer({ min: 1, max: 50_000 }),
  day: fc.integer({ min: 1, max: 28 }),
  month: fc.constantFrom(BEFORE, MES, MES, MES, NEXT),
});

const amount = ({ valor }: { valor: number }) => valor;

it('the reasons, and the parts of previsto, add up to the cent after random histories', async () => {
  const seed = Date.now() % 1_000_000;
  const picked = <Item>(items: readonly Item[], n: number): Item => items[n % items.length]!;
  for (let round = 0; round < rounds(2, 20); round += 1) {
    clock.at = at(`${BEFORE}-05`);
    const { trainer, api, mensal, pacote, student } = await business();
    const students: string[] = [];
    const charges: string[] = [];
    const sessions: string[] = [];
    for (const name of ['Ana', 'Bia', 'Caio', 'Davi']) students.push(await student(name));
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await api.request<{ id: string; charge_id?: string }>(method, `/api/v1${path}`, {
        body,
      });
      expect(answer.status).toBeLessThan(500);
      return answer.status < 300 ? answer.body : null;
    };
    const all = fc.sample(step, { numRuns: rounds(70, 200), seed: seed + round });
    let previsto: number | null = null;
    for (const [n, { kind, one, other, valor, day, month }] of all.entries()) {
      const id = picked(students, one);
      const charge = charges.length > 0 ? picked(charges, other) : undefined;
      const date = `${month}-${String(day).padStart(2, '0')}`;
      const money = { data: date <= dayOf(clock.at) ? date : dayOf(clock.at), metodo_pagamento: 'pix' };
      if (kind === 'charge') {
        const plano_id = other % 2 ? pacote : undefined;
        const made = await ask('POST', '/charges', {
          student_id: id,
          plano_id,
          descricao: 'Cobrança',
          valor,
          vencimento: date,
        });
        if (made) charges.push(made.id);
      } else if (kind === 'session') {
        const inicio = new Date(`${date}T${String(one % 24).padStart(2, '0')}:00:00Z`);
        const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
        const made = await ask('POST', '/sessions', { student_id: id, permitir_conflito: true, ...times });
        if (made && (await ask('POST', `/sessions/${made.id}/complete`))) sessions.push(made.id);
      } else if (kind === 'book') {
        const session = sessions.length > 0 ? picked(sessions, other) : undefined;
        const billed = { session_id: session, descricao: 'Sessão', valor, vencimento: date, student_id: id };
        const made = session && (await ask('POST', '/charges', billed));
        if (made) charges.push(made.id);
        else if (session) await ask('POST', `/sessions/${session}/reopen`);
      } else if (kind === 'agree')
        await ask('PUT', `/students/${id}/monthly-plan`, {
          plano_id: mensal,
          valor,
          desde: date,
          ate: null,
          vence_dia: day,
        });
      else if (kind === 'end') await ask('DELETE', `/students/${id}/monthly-plan`);
      else if (kind === 'pause')
        await ask('PUT', `/students/${id}/pause`, { ate: dayOf(addDays(clock.at, day)) });
      else if (kind === 'archive') await ask('POST', `/students/${id}/${other % 2 ? 'archive' : 'restore'}`);
      else if (kind === 'register') students.push(await student(`Nova ${n}`));
      else if (kind === 'merge') await ask('POST', `/students/${id}/merge`, { com: picked(students, other) });
      else if (kind === 'bill') {
        await api.get('/students');
        await app.run(monthlyBilling.Handler);
        const found = await api.get<ChargePage>('/charges', { query: { situacao: 'a_receber', limit: 100 } });
        for (const each of found.body.items) if (!charges.includes(each.id)) charges.push(each.id);
      } else if (kind === 'record')
        await ask('POST', '/transactions', { tipo: 'receita', descricao: `Entrada ${n}`, valor, ...money });
      else if (kind === 'undo') {
        const { items } = (await api.get<TransactionPage>('/transactions', { query: { month: MES } })).body;
        if (items.length > 0) await ask('POST', `/transactions/${picked(items, other).id}/reverse`, {});
      } else if (charge) {
        const now = (await api.get<ChargePage['items'][number]>(`/charges/${charge}`)).body;
        const paid = now.pagamentos.find(({ estornado }) => !estornado);
        const path = `/charges/${charge}`;
        if (kind === 'pay')
          await ask('POST', `${path}/payments`, { ...money, valor: Math.ceil(now.falta / ((one % 2) + 1)) });
        else if (kind === 'change') await ask('PATCH', path, { valor });
        else if (kind === 'move') await ask('PATCH', path, { vencimento: date });
        else if (kind === 'cancel' || kind === 'restore') await ask('POST', `${path}/${kind}`);
        else if (paid && kind === 'reverse') await ask('POST', `${path}/payments/${paid.id}/reverse`);
        else if (paid)
          await ask('POST', `${path}/payments/${paid.id}/refund`, {
            valor: Math.ceil(paid.valor / ((one % 3) + 1)),
            valor_atual: paid.valor,
            creditos: 0,
            motivo: 'Pediu',
          });
      }
      const next = addHours(clock.at, (one % 60) + 1);
      if (previsto === null && (next >= BEGIN || n === Math.floor(all.length / 2))) {
        previsto = await begin(trainer);
        clock.at = addHours(BEGIN, 2);
      } else clock.at = next;
      if (previsto === null || n % 10 < 9) continue;
      const where = `seed ${seed + round}, after step ${n}`;
      for (const mes of [BEFORE, MES, NEXT]) {
        const { previsto: said } = (await api.get<MonthSummary>(`/finance/months/${mes}`)).body;
        expect([where, mes, (await explainedIn(api, mes)).total]).toEqual([where, mes, said]);
      }
      const forecast = await forecastOf(api);
      expect([where, forecast.previsto, forecast.recebido]).toEqual([
        where,
        previsto,
        (await monthOf(api)).recebido,
      ]);
      expect([where, forecast.previsto + sum(forecast.passos.map(amount))]).toEqual([
        where,
        forecast.recebido,
      ]);
      for (const { tipo, valor, linhas, resto } of forecast.passos) {
        expect([where, tipo, sum(linhas.map(amount)) + resto.valor]).toEqual([where, tipo, valor]);
        expect(linhas.some((line) => line.valor === 0)).toBe(false);
      }
    }
  }
});
