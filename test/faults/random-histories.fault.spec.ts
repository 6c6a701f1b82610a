import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { Session, SessionPage, SessionToChargePage } from '../../backend/modules/agenda/agenda.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type {
  Allocations,
  MonthSummary,
  TransactionPage,
} from '../../backend/modules/finance/finance.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { Checker } from './harness/checker.js';
import { History } from './harness/history.js';
import {
  begin,
  type Command,
  histories,
  type Ids,
  instantOf,
  monthOf,
  requestOf,
  resolved,
} from './random/commands.js';
import { HOUR } from './random/facts.js';
import { after, balance, nothing, Refusal, usable, type World } from './random/model.js';

const HISTORIES = rounds(6, 120);
const COMMANDS = 60;
const TIME_LIMIT_MS = rounds(45_000, 400_000);
const SHRINK_LIMIT_MS = 120_000;
const MONTHS = [0, 1, 2];

const clock = new SetClock(new Date());
let app: TestApp;

beforeAll(async () => {
  // Reminders are not prepared by themselves, so that none is while the log and the read tables are compared.
  app = await startApp({ clock, byHand: [prepareReminders] });
});

/** The model's result of a command: the new world, and the answer or the code of the refusal. */
function expectation(world: World, command: Command): { world: World; said: unknown } {
  try {
    const { world: next, answer } = after(world, command);
    return { world: next, said: answer };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { world, said: { code: error.message } };
  }
}

/** Runs a history in the model and, as a new trainer, in the system. Answers and final state must be the same. */
async function live(commands: readonly Command[]): Promise<void> {
  let world = nothing;
  clock.at = new Date(world.now);
  const trainer = await signUp(app);
  const ids = await begin(trainer);
  for (const wished of commands) {
    const command = resolved(wished, world);
    const { world: next, said } = expectation(world, command);
    world = next;
    clock.at = new Date(world.now);
    if (command.type === 'wait') continue;
    const [method, path, body, makes] = requestOf(command, ids);
    const answer = await trainer.api.request<{ id: string }>(method, `/api/v1${path}`, { body });
    expect({ command, said: answer.body }).toMatchObject({ command, said: said as object });
    if (makes && answer.status < 300) (ids[makes] as string[]).push(answer.body.id);
  }
  expect(await shownBySystem(trainer, ids)).toEqual(shownByModel(world));
}

async function shownBySystem({ api }: Trainer, ids: Ids) {
  const get = async <Body>(path: string) => (await api.get<Body>(path)).body;
  const number = (list: string[]) => (id: string | null) => (id === null ? null : list.indexOf(id));
  const [student, session, transaction] = [
    number(ids.students),
    number(ids.sessions),
    number(ids.transactions),
  ];
  const students = await Promise.all(
    ids.students.map(async (id) => {
      const { arquivado, creditos } = await get<Student>(`/students/${id}`);
      const { saldo, lotes, extrato } = await get<CreditStatement>(`/students/${id}/credits?limit=100`);
      const lots = lotes.map(({ restante, expira_em }) => [restante, expira_em]);
      const least = Math.min(0, ...extrato.items.map((line) => line.saldo));
      return { arquivado, creditos, saldo, lots, newest: extrato.items[0]?.saldo ?? 0, least };
    }),
  );
  const shown = (one: Session) => ({
    session: session(one.id),
    student: student(one.student_id),
    park: one.location_id !== null,
    inicio: one.inicio,
    fim: one.fim,
    status: one.status,
    motivo: one.motivo,
    usou_credito: one.usou_credito,
    sem_credito: one.sem_credito,
    valor: one.valor,
    taxa: one.taxa,
  });
  const sessions = (await get<SessionPage>('/sessions?limit=100')).items.map(shown);
  const charges = (await get<SessionToChargePage>('/sessions/to-charge?limit=100')).items;
  const months = await Promise.all(
    MONTHS.map(async (month) => {
      const { recebido, despesas, lucro, receitas, alocacoes } = await get<MonthSummary>(
        `/finance/months/${monthOf(month)}`,
      );
      const { items } = await get<TransactionPage>(`/transactions?limit=100&month=${monthOf(month)}`);
      const transactions = items.map(({ id, valor, estorno_de, estornada_por }) => {
        return { id: transaction(id), valor, of: transaction(estorno_de), reversed: estornada_por !== null };
      });
      return {
        recebido,
        despesas,
        lucro,
        receitas,
        parts: Object.values(alocacoes),
        transactions: sorted(transactions),
      };
    }),
  );
  const parts = await Promise.all(
    ids.transactions.map(async (id) =>
      (await get<Allocations>(`/transactions/${id}/allocations`)).items.map(({ valor }) => valor),
    ),
  );
  const toCharge = charges.map((one) => ({ id: session(one.id), a_cobrar: one.a_cobrar }));
  const open = await get<ChargePage>('/charges?limit=100&situacao=a_receber');
  const fees = open.items.map((one) => ({
    id: session(one.session_id),
    student: student(one.student_id),
    valor: one.falta,
  }));
  return {
    students,
    sessions: sorted(sessions),
    toCharge: sorted(toCharge),
    fees: sorted(fees),
    months,
    parts,
  };
}

function shownByModel(world: World): Awaited<ReturnType<typeof shownBySystem>> {
  const students = world.students.map(({ archived }, number) => {
    const lots = usable(world, number).map(({ left, expires }) => [left, lastDay(expires)]);
    const saldo = balance(world, number);
    return {
      arquivado: archived,
      creditos: saldo,
      saldo,
      lots: lots as [number, string | null][],
      newest: saldo,
      least: 0,
    };
  });
  const existing = [...world.sessions.entries()].filter(([, { deleted }]) => !deleted);
  const sessions = existing.map(
    ([session, { student, park, at, length, status, motivo, credit, valor, taxa }]) => ({
      session,
      student,
      park,
      inicio: instantOf(at),
      fim: instantOf(at + length),
      status,
      motivo,
      usou_credito: credit === 'usado',
      sem_credito: credit === 'faltou',
      valor,
      taxa,
    }),
  );
  // A fee is charged with the cancellation, together with the session that no credit paid.
  const isCharged = ({ credit, valor, taxa }: (typeof world.sessions)[number]) =>
    taxa > 0 && !(credit === 'faltou' && valor === null);
  const toCharge = existing
    .filter(([, one]) => one.credit === 'faltou' && !isCharged(one))
    .map(([id, { valor, taxa }]) => ({ id, a_cobrar: valor === null ? null : valor + taxa }));
  const fees = existing
    .filter(([, one]) => isCharged(one))
    .map(([id, { student, credit, valor, taxa }]) => ({
      id,
      student,
      valor: credit === 'faltou' ? valor! + taxa : taxa,
    }));
  const months = MONTHS.map((month) => {
    const own = [...world.transactions.entries()].filter(([, one]) => one.month === month);
    const sum = (tipo: string) =>
      own.reduce((total, [, one]) => total + (one.tipo === tipo ? one.valor : 0), 0);
    const receitas = own.reduce((n, [, one]) => n + (one.tipo === 'receita' ? Math.sign(one.valor) : 0), 0);
    const parts = [0, 1, 2, 3].map((part) =>
      own.reduce((total, [, one]) => total + (one.parts[part] ?? 0), 0),
    );
    const [recebido, despesas] = [sum('receita'), sum('despesa')];
    const transactions = own.map(([id, one]) => {
      return { id, valor: one.valor, of: one.of ?? null, reversed: one.reversed ?? false };
    });
    return {
      recebido,
      despesas,
      lucro: recebido - despesas,
      receitas,
      parts,
      transactions: sorted(transactions),
    };
  });
  const parts = world.transactions.map((one) => one.parts);
  return {
    students,
    sessions: sorted(sessions),
    toCharge: sorted(toCharge),
    fees: sorted(fees),
    months,
    parts,
  };
}

/** The day in São Paulo that ends at this instant; null for Infinity. */
function lastDay(expires: number): string | null {
  return expires === Infinity ? null : new Date(expires - 3 * HOUR - 1).toISOString().slice(0, 10);
}

const sorted = <Item>(items: Item[]): Item[] =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

it('answers and shows the same as the model, for random commands', async () => {
  const seed = Date.now() % 2 ** 31;
  process.stderr.write(`random histories: seed ${seed}\n`);
  let lived = Promise.resolve();
  const property = fc.asyncProperty(histories(COMMANDS), (commands) => (lived = live(commands)));
  const { failed, counterexamplePath } = await fc.check(property, {
    seed,
    numRuns: HISTORIES,
    interruptAfterTimeLimit: TIME_LIMIT_MS,
    endOnFailure: true,
  });
  // Throws, with the shortest failing history.
  if (failed) {
    const path = counterexamplePath ?? undefined;
    await fc.assert(property, { seed, path, interruptAfterTimeLimit: SHRINK_LIMIT_MS });
  }
  // The time limit ends the check, but not the history that is running: wait for it, since its last events must be projected.
  await lived;
  const checker = new Checker(await testDatabase(), new History());
  expect(await checker.findings()).toEqual([]);
});
