import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { World } from './model.js';
import { HOUR, PARK, PLANS, START } from './facts.js';
import type { Trainer } from '../../support/people.js';

export type Status = 'agendada' | 'feita' | 'cancelada';
export type Reason = 'personal' | 'aluno_no_prazo' | 'aluno_fora_do_prazo' | 'falta';

export const instantOf = (halfHours: number): string =>
  new Date(START + (halfHours * HOUR) / 2).toISOString();
export const monthOf = (month: number): string => `2026-0${month + 1}`;

/** Index of a student and so on; taken modulo the number that exists. */
const student = fc.nat(3);
const session = fc.nat(7);
const transaction = fc.nat(5);
const allow = fc.boolean();
const at = fc.integer({ min: 20, max: 32 });
const length = fc.integer({ min: 1, max: 4 });

const a = <const Type extends string, Fields extends object>(
  type: Type,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => fc.record({ type: fc.constant(type), ...fields }) as unknown as fc.Arbitrary<{ type: Type } & Fields>;

const often = [
  a('renew', { student }),
  a('adjust', { student, quantidade: fc.constantFrom(-4, -2, -1, 1, 2, 5) }),
  a('book', { student, at, length, park: fc.boolean(), allow }),
  a('complete', { session, allow }),
  a('cancel', {
    session,
    motivo: fc.constantFrom<Reason[]>('personal', 'aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'),
    byPolicy: fc.boolean(),
  }),
] as const;
const sometimes = [
  a('wait', { hours: fc.integer({ min: 1, max: 30 }) }),
  a('register', { plan: fc.option(fc.nat(PLANS.length - 1)) }),
  a('archive', { student }),
  a('unarchive', { student }),
  a('consume', { student }),
  a('change', {
    session,
    period: fc.option(fc.record({ at, length }), { nil: undefined }),
    status: fc.option(fc.constantFrom<Status[]>('agendada', 'feita', 'cancelada'), { nil: undefined }),
    student: fc.option(student, { nil: undefined }),
    allow,
  }),
  a('reopen', { session, allow }),
  a('delete', { session }),
  a('restore', { session, allow }),
  a('record', {
    tipo: fc.constantFrom<('receita' | 'despesa')[]>('receita', 'despesa'),
    valor: fc.integer({ min: 1, max: 100_000 }),
    month: fc.nat(2),
  }),
  a('reverse', { transaction }),
] as const;

type Made<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
export type Command = Made<(typeof often)[number] | (typeof sometimes)[number]>;
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

/** Sequences of up to `maxLength` commands, after the registration of two students. */
export const histories = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.oneof(...often) },
        { weight: 2, arbitrary: fc.oneof(...sometimes) },
      ),
      { maxLength, size: 'max' },
    )
    .map((commands) => [{ type: 'register', plan: 0 }, { type: 'register', plan: 1 }, ...commands]);

/** The command with indexes of existing entities, if there are any. */
export function resolved(command: Command, world: World): Command {
  const among = (list: unknown[], number: number) => (list.length > 0 ? number % list.length : number);
  return {
    ...command,
    ...('student' in command &&
      command.student !== undefined && { student: among(world.students, command.student) }),
    ...('session' in command && { session: among(world.sessions, command.session) }),
    ...('transaction' in command && { transaction: among(world.transactions, command.transaction) }),
  };
}

/** Ids of the entities that were created so far, by number. */
export interface Ids {
  plans: string[];
  park: string;
  students: string[];
  sessions: string[];
  transactions: string[];
}

/** Creates plans and a location for a new trainer, before the history. */
export async function begin({ api }: Trainer): Promise<Ids> {
  const plans: string[] = [];
  for (const [number, plan] of PLANS.entries()) {
    plans.push((await api.post('/plans', { nome: `Plano ${number}`, ...plan })).body.id);
  }
  const park = (await api.post('/locations', { nome: 'Parque' })).body.id;
  await api.put(`/locations/${park}/policy`, PARK);
  return { plans, park, students: [], sessions: [], transactions: [] };
}

/** A request to the system: method, path, body, and the list to which the answer's id is added. */
type Request = [method: string, path: string, body?: object, makes?: keyof Ids];

export function requestOf(command: Exclude<Command, { type: 'wait' }>, ids: Ids): Request {
  // An entity that does not exist gets an unknown id.
  const student = (number: number) => ids.students[number] ?? randomUUID();
  const session = (number: number) => `/sessions/${ids.sessions[number] ?? randomUUID()}`;
  const motivo = 'Acerto';
  switch (command.type) {
    case 'register': {
      const plano_id = command.plan === null ? null : ids.plans[command.plan]!;
      return ['POST', '/students', { nome: 'Aluno', telefone: '11943214321', plano_id }, 'students'];
    }
    case 'archive':
      return ['POST', `/students/${student(command.student)}/archive`];
    case 'unarchive':
      return ['POST', `/students/${student(command.student)}/restore`];
    case 'renew':
      return ['POST', `/students/${student(command.student)}/credits/renew`];
    case 'adjust': {
      const { quantidade } = command;
      return ['POST', `/students/${student(command.student)}/credits/adjust`, { quantidade, motivo }];
    }
    case 'consume':
      return ['POST', `/students/${student(command.student)}/credits/consume`, { motivo }];
    case 'book': {
      const { at, length, allow, park } = command;
      const period = { inicio: instantOf(at), fim: instantOf(at + length) };
      const place = { location_id: park ? ids.park : null, permitir_conflito: allow };
      return ['POST', '/sessions', { student_id: student(command.student), ...period, ...place }, 'sessions'];
    }
    case 'change': {
      const { period, status, student: other, allow } = command;
      const changes = {
        ...(period && { inicio: instantOf(period.at), fim: instantOf(period.at + period.length) }),
        ...(status && { status }),
        ...(other !== undefined && { student_id: student(other) }),
      };
      return ['PATCH', session(command.session), { ...changes, permitir_conflito: allow }];
    }
    case 'complete':
    case 'reopen':
    case 'restore':
      return ['POST', `${session(command.session)}/${command.type}`, { permitir_conflito: command.allow }];
    case 'cancel': {
      const body = { motivo: command.motivo, ...(command.byPolicy && { aplicar_politica: true }) };
      return ['POST', `${session(command.session)}/cancel`, body];
    }
    case 'delete':
      return ['DELETE', session(command.session)];
    case 'record': {
      const { tipo, valor, month } = command;
      const rest = { descricao: 'Aulas', metodo_pagamento: 'pix', data: `${monthOf(month)}-01` };
      return ['POST', '/transactions', { tipo, valor, ...rest }, 'transactions'];
    }
    case 'reverse': {
      const id = ids.transactions[command.transaction] ?? randomUUID();
      return ['POST', `/transactions/${id}/reverse`, { motivo: 'em dobro' }, 'transactions'];
    }
  }
}
