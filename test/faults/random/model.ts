/**
 * A simple model of the business: no events, no tables, one trainer, one time zone. Every command is given to the system and
 * to this model, and the results must be equal. Entities are identified by their number in order of creation.
 */
import type { Command, CommandOf, Reason, Status } from './commands.js';
import { ELSEWHERE, HOUR, PARK, PLANS, SHARES, START } from './facts.js';

const DAY = 24 * HOUR;
/** São Paulo is three hours behind UTC. */
const MIDNIGHT = 3 * HOUR;

/** The initial state of a session. `valor` and `taxa` in cents; `lot`: the lot of the credit that it holds. */
const fresh = {
  status: 'agendada' as Status,
  deleted: false,
  motivo: null as Reason | null,
  credit: 'nenhum' as 'nenhum' | 'usado' | 'faltou',
  lot: null as number | null,
  valor: null as number | null,
  taxa: 0,
};
/** `at` and `length` in half hours after START. */
type Session = { student: number; at: number; length: number; park: boolean } & typeof fresh;
/** `expires`: Infinity for never. */
type Student = { archived: boolean; plan: number | null; lots: { left: number; expires: number }[] };
type Transaction = Omit<CommandOf<'record'>, 'type'> & { parts: number[]; of?: number; reversed?: true };

export class Refusal extends Error {}

const refuse = (code: string): never => {
  throw new Refusal(code);
};

export interface World {
  now: number;
  students: Student[];
  sessions: Session[];
  transactions: Transaction[];
}
export const nothing: World = { now: START, students: [], sessions: [], transactions: [] };

/** The world after this command, and the expected answer of the system. @throws Refusal with the system's code */
export function after(before: World, command: Command): { world: World; answer: object } {
  const world = structuredClone(before);
  const rule = rules[command.type] as (world: World, command: Command) => object | void;
  return { answer: rule(world, command) ?? {}, world };
}

/** Valid lots in their order of use: the first to expire, then the oldest. */
export const usable = (world: World, student: number): Student['lots'] =>
  world.students[student]!.lots.filter(({ left, expires }) => left > 0 && expires > world.now).sort((a, b) =>
    a.expires === b.expires ? 0 : a.expires - b.expires,
  );
export const balance = (world: World, student: number): number =>
  usable(world, student).reduce((sum, { left }) => sum + left, 0);

const known = (world: World, student: number) => world.students[student] ?? refuse('students.not_found');
const active = (world: World, student: number) =>
  known(world, student).archived ? refuse('students.archived') : known(world, student);
const existing = ({ sessions }: World, session: number) =>
  sessions[session]?.deleted === false ? sessions[session] : refuse('agenda.session_not_found');

function gain(world: World, student: number, left: number, expires: number) {
  world.students[student]!.lots.push({ left, expires });
  return { saldo: balance(world, student) };
}
/** Uses a credit. Returns the number of its lot; null if there is no credit. */
function spend(world: World, student: number): number | null {
  const [first] = usable(world, student);
  if (!first) return null;
  first.left -= 1;
  return world.students[student]!.lots.indexOf(first);
}
function useCredit(world: World, session: Session) {
  session.lot = spend(world, session.student);
  session.credit = session.lot === null ? 'faltou' : 'usado';
}
function returnCredit(world: World, session: Session) {
  if (session.lot !== null) world.students[session.student]!.lots[session.lot]!.left += 1;
  session.lot = null;
}
/** Value of one session, in cents. */
function value(world: World, student: number): number | null {
  const plan = PLANS[world.students[student]!.plan ?? -1];
  return plan && plan.creditos > 0 ? Math.round(plan.valor / plan.creditos) : null;
}

function refuseOverlap({ sessions }: World, one: Session, allow: boolean) {
  const isBusy = (other: Session) => !other.deleted && other.status !== 'cancelada';
  const meets = (other: Session) => other.at < one.at + one.length && one.at < other.at + other.length;
  const isTaken = sessions.some((other) => other !== one && isBusy(other) && meets(other));
  if (!allow && isBusy(one) && isTaken) refuse('agenda.overlap');
}
function refuseAhead({ now }: World, { at }: Session) {
  const dayOf = (instant: number) => Math.floor((instant - MIDNIGHT) / DAY);
  if (dayOf(START + (at * HOUR) / 2) > dayOf(now)) refuse('agenda.day_ahead');
}
function complete(world: World, session: Session) {
  if (session.status === 'feita') refuse('agenda.already_done');
  refuseAhead(world, session);
  returnCredit(world, session);
  useCredit(world, session);
  Object.assign(session, { status: 'feita', motivo: null, valor: value(world, session.student), taxa: 0 });
}
function reopen(world: World, session: Session) {
  if (session.status === 'agendada') refuse('agenda.already_scheduled');
  returnCredit(world, session);
  Object.assign(session, fresh);
}
function cancel(world: World, session: Session, motivo: Reason, byPolicy: boolean) {
  const terms = session.park ? PARK : ELSEWHERE;
  const left = START + (session.at * HOUR) / 2 - world.now;
  const late = left < terms.cancel_limite_horas * HOUR;
  const wrong = { personal: false, aluno_no_prazo: late, aluno_fora_do_prazo: !late, falta: left > 0 };
  if ((byPolicy || motivo === 'falta') && wrong[motivo]) refuse('agenda.reason_disagrees');
  if (session.status === 'cancelada') refuse('agenda.already_cancelled');
  returnCredit(world, session);
  Object.assign(session, { ...fresh, status: 'cancelada', motivo, valor: value(world, session.student) });
  if (!byPolicy || motivo === 'personal' || motivo === 'aluno_no_prazo') return;
  if (terms.queima_credito) useCredit(world, session);
  session.taxa = Math.round(((session.valor ?? 0) * terms.taxa_percent) / 100);
}
/** Moves a session to another student: returns the first student's credit, and uses one of the other student's. */
function give(world: World, session: Session, student: number) {
  active(world, student);
  returnCredit(world, session);
  session.student = student;
  if (session.credit === 'nenhum') return;
  useCredit(world, session);
  session.valor = value(world, student);
}

const outcome = ({ status, credit, taxa }: Session) => {
  return { status, usou_credito: credit === 'usado', sem_credito: credit === 'faltou', taxa };
};

type Rules = { [Type in Command['type']]: (world: World, command: CommandOf<Type>) => object | void };
const rules: Rules = {
  wait: (world, { hours }) => void (world.now += hours * HOUR),
  register: ({ students }, { plan }) => void students.push({ plan, archived: false, lots: [] }),
  archive: (world, { student }) => void (known(world, student).archived = true),
  unarchive: (world, { student }) => void (known(world, student).archived = false),
  renew(world, { student }) {
    const plan = PLANS[active(world, student).plan ?? refuse('credits.no_plan')]!;
    if (plan.creditos === 0) refuse('credits.plan_without_credits');
    const lastDay = Math.floor((world.now - MIDNIGHT) / DAY) + (plan.validade_dias ?? Infinity);
    return gain(world, student, plan.creditos, (lastDay + 1) * DAY + MIDNIGHT);
  },
  adjust(world, { student, quantidade }) {
    known(world, student);
    if (quantidade > 0) return gain(world, student, quantidade, Infinity);
    if (balance(world, student) < -quantidade) refuse('credits.not_enough');
    for (let left = -quantidade; left > 0; left -= 1) spend(world, student);
    return { saldo: balance(world, student) };
  },
  consume(world, { student }) {
    known(world, student);
    if (spend(world, student) === null) refuse('credits.none_available');
    return { saldo: balance(world, student) };
  },
  book(world, { student, at, length, park, allow }) {
    const session = { ...fresh, student, at, length, park };
    refuseOverlap(world, session, allow);
    active(world, student);
    world.sessions.push(session);
  },
  change(world, { session, period, status, student, allow }) {
    const one = existing(world, session);
    const before = { ...one };
    const goes = (to: Status) => status === to && before.status !== to;
    if (goes('cancelada')) cancel(world, one, 'personal', false);
    Object.assign(one, period);
    if (goes('agendada')) reopen(world, one);
    if (student !== undefined && student !== one.student) give(world, one, student);
    if (goes('feita')) complete(world, one);
    const moved = before.at !== one.at || before.length !== one.length;
    if (moved && one.status === 'feita') refuseAhead(world, one);
    refuseOverlap(world, one, allow || (!moved && before.status !== 'cancelada'));
    return outcome(one);
  },
  complete: (world, { session, allow }) => comeBack(world, existing(world, session), complete, allow),
  reopen: (world, { session, allow }) => comeBack(world, existing(world, session), reopen, allow),
  cancel(world, { session, motivo, byPolicy }) {
    cancel(world, existing(world, session), motivo, byPolicy);
    return outcome(existing(world, session));
  },
  delete(world, { session }) {
    returnCredit(world, existing(world, session));
    existing(world, session).deleted = true;
  },
  restore(world, { session, allow }) {
    const one = world.sessions[session] ?? refuse('agenda.session_not_found');
    if (!one.deleted) refuse('agenda.not_deleted');
    one.deleted = false;
    refuseOverlap(world, one, allow);
    if (one.credit !== 'nenhum') useCredit(world, one);
    return outcome(one);
  },
  record: ({ transactions }, { tipo, valor, month }) =>
    void transactions.push({ tipo, valor, month, parts: tipo === 'receita' ? partsOf(valor) : [] }),
  reverse({ transactions }, { transaction }) {
    const one = transactions[transaction];
    if (!one || one.of !== undefined) return refuse('finance.transaction_not_found');
    if (one.reversed) refuse('finance.already_reversed');
    transactions.push({
      ...one,
      valor: -one.valor,
      parts: one.parts.map((part) => 0 - part),
      of: transaction,
    });
    one.reversed = true;
  },
};

function comeBack(world: World, session: Session, how: typeof reopen, allow: boolean): object {
  const wasBusy = session.status !== 'cancelada';
  how(world, session);
  refuseOverlap(world, session, allow || wasBusy);
  return outcome(session);
}

/** Parts are rounded down; the remaining cents go to the parts that lost most by that. */
function partsOf(valor: number): number[] {
  const byLack = SHARES.map((share, index) => ({ lack: (valor * share) % 100, index })).sort(
    (a, b) => b.lack - a.lack,
  );
  const left = byLack.reduce((sum, { lack }) => sum + lack, 0) / 100;
  const lucky = new Set(byLack.slice(0, left).map(({ index }) => index));
  return SHARES.map((share, index) => Math.floor((valor * share) / 100) + (lucky.has(index) ? 1 : 0));
}
