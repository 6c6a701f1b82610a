import { TZDate } from '@date-fns/tz';
import { format, startOfDay } from 'date-fns';
import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import type { Away } from '../away/student-pause.js';
import type { Reassigned } from '../students/reassigned.js';
import { daysBetween, daysLater, deadline } from './deadlines.js';

/** Common to all ledger entries: student, id of the entry (UUID), instant of the decision (ISO). */
interface Entry {
  student_id: string;
  entry_id: string;
  at: string;
}

export interface LotShare {
  lot_id: string;
  quantidade: number;
}

export type CreditEvent =
  | {
      type: 'CreditsGranted';
      /** A new lot. It is valid before `expires_at`, the end of the day `expira_em` in `timezone`. */
      data: Entry & {
        lot_id: string;
        quantidade: number;
        plano_id: string;
        expira_em: string | null;
        expires_at: string | null;
        timezone: string;
        /** Granted before it was paid. */
        sem_pagamento?: true;
        /** Its last day without pauses and vacations, and the first day from which days away count; absent in older grants. */
        sem_ausencias?: { expira_em: string; desde: string };
      };
    }
  /** `dispensada`: the lot, which was granted before it was paid, needs no payment; false: it does again. */
  | { type: 'GrantWaived'; data: Entry & { lot_id: string; dispensada: boolean } }
  /** A new lot that the student brings from before Rende, as `CreditsGranted` without a plan. */
  | {
      type: 'CreditsOpened';
      data: Entry & {
        lot_id: string;
        quantidade: number;
        expira_em: string | null;
        expires_at: string | null;
        timezone: string;
      };
    }
  | {
      type: 'CreditConsumed';
      /** Uses one credit of one lot: for a session that took place or was cancelled late, or by hand with a reason. */
      data: Entry & {
        lot_id: string;
        causa: ConsumptionCause['causa'] | 'manual';
        session_id: string | null;
        motivo: string | null;
      };
    }
  /** Returns the credit that a session had used to its lot. */
  | { type: 'CreditReturned'; data: Entry & { lot_id: string; session_id: string } }
  /**
   * `quantidade` is signed. Positive: one new lot that never expires; negative: the sum of the credits taken from several lots.
   * `desfaz`: the lot of the renewal that was undone.
   */
  | {
      type: 'CreditsAdjusted';
      data: Entry & { quantidade: number; lotes: LotShare[]; motivo: string | null; desfaz?: string };
    }
  /** One credit of the lot `origem` becomes a separate lot, a make-up, because `session_id` in the month `mes` was cancelled in time. */
  | {
      type: 'MakeUpGranted';
      data: Entry & LotExpiry & { origem: string; session_id: string; mes: string; timezone: string };
    }
  /** The session is no longer cancelled: the make-up's credit returns to the lot `origem`. */
  | { type: 'MakeUpTakenBack'; data: Entry & { lot_id: string; origem: string; session_id: string } }
  /** Credits were sent to the student `para`, or returned to that student by undoing the transfer `desfaz`. */
  | {
      type: 'CreditsSent';
      data: Entry & {
        para: string;
        quantidade: number;
        lotes: LotShare[];
        motivo: string | null;
        desfaz: string | null;
      };
    }
  /** Credits were received from the student `de`: as new lots, or returned to the lots from which they had been sent. */
  | {
      type: 'CreditsReceived';
      data: Entry & {
        de: string;
        quantidade: number;
        lotes: ReceivedLot[];
        desfaz: string | null;
        /** In which their first day is; absent in events that counted it in UTC. */
        timezone?: string;
      };
    }
  /** The expiry of lots moves by `dias`, which may be negative: because of a vacation, a pause of the student, or its undoing. */
  | {
      type: 'CreditsExtended';
      data: Entry & { dias: number; lotes: LotExpiry[]; vacation_id: string | null; timezone: string };
    }
  /** Another account's lots are this one's, as they are, with all their entries. `todos`: also those that are used up. */
  | { type: 'CreditsTakenOver'; data: Reassigned & { lotes: Lot[]; todos: string[] } }
  /** They are those of the student `para`. */
  | {
      type: 'CreditsHandedOver';
      data: Omit<Reassigned, 'de'> & { para: string; todos: string[] };
    };

/** Expiry of a lot: its last valid day, and the instant at which that day ends. */
interface LotExpiry {
  lot_id: string;
  expira_em: string;
  expires_at: string;
}

/** Credits from another student's lot `origem`, with their expiry. */
interface ReceivedLot extends LotShare {
  origem: string;
  expira_em: string | null;
  expires_at: string | null;
}

export interface Lot {
  lot_id: string;
  remaining: number;
  /** Last day on which its credits are valid; null: never expires. */
  expira_em: string | null;
  /** ISO instant at which its credits expire; null: never. */
  expires_at: string | null;
  /** Sessions that each hold one of its credits. */
  sessions: readonly string[];
  /** What its expiry follows from, if it expires. */
  prazo?: Term;
  /** Only for a make-up: the cancelled session, the lot of its credit, and the month to whose limit it counts. */
  reposicao?: { session_id: string; origem: string; mes: string };
}

/** The last day of a lot without days away, and the first day from which these count. */
interface Term {
  expira_em: string;
  desde: string;
  /**
   * `todas`: the rest of every pause and vacation during which it was granted counts too; `pausas`: an older grant, for which only the
   * rest of a pause did; `inteiras`: only what begins later counts, because the expiry was given.
   */
  conta: 'todas' | 'pausas' | 'inteiras';
}

export interface CreditState {
  /** Oldest first. Empty lots are dropped once no credit can return to them; make-ups stay until they expire, because they count to their month's limit. */
  lots: Lot[];
}

/** Why a session uses a credit: it took place, or it was cancelled too late. */
export interface ConsumptionCause {
  causa: 'sessao' | 'cancelamento';
  session_id: string;
}

const personal: PersonalFields<{ student_id: string; motivo: string | null }> = {
  person: ({ student_id }) => student_id,
  fields: ['motivo'],
};

/** A student's credits; the stream's id is the student's. */
export const creditAccount: Aggregate<CreditState, CreditEvent> = {
  name: 'credit-account',
  fold: 7,
  initialState: { lots: [] },
  evolve({ lots }, { type, data }) {
    switch (type) {
      case 'GrantWaived':
        return { lots };
      case 'CreditsGranted':
      case 'CreditsOpened': {
        const { lot_id, quantidade: remaining, expira_em, expires_at } = data;
        const known = 'sem_ausencias' in data ? data.sem_ausencias : undefined;
        const prazo = known
          ? { ...known, conta: 'todas' as const }
          : termOf(data.at, expira_em, type === 'CreditsGranted' ? 'pausas' : 'inteiras', data.timezone);
        return {
          lots: [
            ...lots,
            { lot_id, remaining, expira_em, expires_at, sessions: [], ...(prazo && { prazo }) },
          ],
        };
      }
      case 'CreditConsumed': {
        const used = data.session_id === null ? [] : [data.session_id];
        return {
          lots: moved(lots, data.lot_id, -1, (sessions) => [...sessions, ...used]),
        };
      }
      case 'CreditReturned':
        return {
          lots: moved(lots, data.lot_id, 1, (sessions) => sessions.filter((id) => id !== data.session_id)),
        };
      case 'CreditsAdjusted':
        return {
          lots: data.lotes.reduce((all, { lot_id, quantidade }) => moved(all, lot_id, quantidade), lots),
        };
      case 'MakeUpGranted': {
        const { lot_id, expira_em, expires_at, origem, session_id, mes } = data;
        const made = {
          lot_id,
          remaining: 1,
          expira_em,
          expires_at,
          sessions: [],
          prazo: termOf(data.at, expira_em, 'inteiras', data.timezone)!,
          reposicao: { session_id, origem, mes },
        };
        const isOver = (lot: Lot) =>
          lot.reposicao !== undefined && isSpent(lot) && Date.parse(lot.expires_at!) <= Date.parse(data.at);
        return { lots: moved([...lots.filter((lot) => !isOver(lot)), made], origem, -1) };
      }
      case 'MakeUpTakenBack':
        return {
          lots: moved(
            lots.filter(({ lot_id }) => lot_id !== data.lot_id),
            data.origem,
            1,
          ),
        };
      case 'CreditsSent':
        return {
          lots: data.lotes.reduce((all, { lot_id, quantidade }) => moved(all, lot_id, quantidade), lots),
        };
      case 'CreditsReceived':
        return {
          lots: data.lotes.reduce((all, { lot_id, quantidade, expira_em, expires_at }) => {
            const given = termOf(data.at, expira_em, 'inteiras', data.timezone ?? 'UTC');
            return moved(all, lot_id, quantidade).map((lot) => {
              const prazo = lot.prazo ?? given;
              return lot.lot_id === lot_id ? { ...lot, expira_em, expires_at, ...(prazo && { prazo }) } : lot;
            });
          }, lots),
        };
      case 'CreditsExtended': {
        const expiries = new Map(data.lotes.map(({ lot_id, ...expiry }) => [lot_id, expiry]));
        return { lots: lots.map((lot) => ({ ...lot, ...expiries.get(lot.lot_id) })) };
      }
      case 'CreditsTakenOver':
        return { lots: [...lots, ...data.lotes] };
      case 'CreditsHandedOver':
        return { lots: lots.filter(({ lot_id }) => !data.todos.includes(lot_id)) };
    }
  },
  events: {
    CreditsGranted: {
      schemaVersion: 1,
      uses: ({ student_id, plano_id }) => ({ student: student_id, plan: plano_id }),
    },
    GrantWaived: { schemaVersion: 1, uses: 'nothing new' },
    CreditsOpened: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    CreditConsumed: { schemaVersion: 1, personal, uses: 'nothing new' },
    CreditReturned: { schemaVersion: 1, uses: 'nothing new' },
    CreditsAdjusted: { schemaVersion: 1, personal, uses: ({ student_id }) => ({ student: student_id }) },
    MakeUpGranted: { schemaVersion: 1, uses: 'nothing new' },
    MakeUpTakenBack: { schemaVersion: 1, uses: 'nothing new' },
    CreditsSent: { schemaVersion: 1, personal, uses: 'nothing new' },
    CreditsReceived: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    CreditsExtended: { schemaVersion: 1, uses: 'nothing new' },
    CreditsTakenOver: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    CreditsHandedOver: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The term of a lot that was made at `at`; undefined for one that does not expire. */
function termOf(
  at: string,
  expira_em: string | null,
  conta: Term['conta'],
  timezone: string,
): Term | undefined {
  return expira_em === null ? undefined : { expira_em, desde: dayAt(new Date(at), timezone), conta };
}

const dayAt = (instant: Date, timezone: string) => format(new TZDate(instant, timezone), 'yyyy-MM-dd');

/** Adds to a lot, or opens one without expiry. `held` computes the sessions that hold its credits afterwards. */
function moved(
  lots: Lot[],
  lot_id: string,
  quantity: number,
  held = (sessions: readonly string[]): readonly string[] => sessions,
): Lot[] {
  if (!lots.some((lot) => lot.lot_id === lot_id))
    return [...lots, { lot_id, remaining: quantity, expira_em: null, expires_at: null, sessions: held([]) }];
  const origins = new Set(lots.map(({ reposicao }) => reposicao?.origem));
  return lots
    .map((lot) =>
      lot.lot_id === lot_id
        ? { ...lot, remaining: lot.remaining + quantity, sessions: held(lot.sessions) }
        : lot,
    )
    .filter((lot) => !isSpent(lot) || lot.reposicao !== undefined || origins.has(lot.lot_id));
}

const isSpent = ({ remaining, sessions }: Lot) => remaining === 0 && sessions.length === 0;

function lotOf({ lots }: CreditState, session_id: string): string | undefined {
  return lots.find(({ sessions }) => sessions.includes(session_id))?.lot_id;
}

/** Lots with valid credits at `now`, in order of use: make-ups, then first to expire, then oldest. */
export function usableLots({ lots }: CreditState, now: Date): Lot[] {
  const expiry = (lot: Lot) => (lot.expires_at === null ? Infinity : Date.parse(lot.expires_at));
  const rank = (lot: Lot) => (lot.reposicao ? 0 : 1);
  return lots
    .filter((lot) => lot.remaining > 0 && expiry(lot) > now.getTime())
    .sort((a, b) => rank(a) - rank(b) || (expiry(a) === expiry(b) ? 0 : expiry(a) - expiry(b)));
}

export function balance(state: CreditState, now: Date): number {
  return usableLots(state, now).reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Whether a session uses one of these credits: there is a valid one, or would be once the session has given its own back. */
export const hasCreditFor = (state: CreditState, session_id: string, now: Date): boolean =>
  balance(state, now) > 0 ||
  state.lots.some(
    ({ sessions, expires_at }) =>
      sessions.includes(session_id) && (expires_at === null || Date.parse(expires_at) > now.getTime()),
  );

/** Passed in by each command: the student, a new UUID for the entry, and the current time. */
export interface EntryOrigin {
  student_id: string;
  entry_id: string;
  now: Date;
}

export const entry = ({ student_id, entry_id, now }: EntryOrigin): Entry => ({
  student_id,
  entry_id,
  at: now.toISOString(),
});

/**
 * Grants a plan's credits as a new lot. `validade_dias` counts calendar days in `timezone` after today, without the days away that
 * are known by now.
 */
export function decideGrant(
  origin: EntryOrigin,
  plan: { id: string; creditos: number; validade_dias: number | null; sem_pagamento?: true },
  timezone: string,
  away: readonly Away[] = [],
): CreditEvent[] {
  if (plan.creditos === 0) throw new Problem('credits.plan_without_credits');
  const today = dayAt(origin.now, timezone);
  const isAway = away.some(({ desde, ate }) => desde <= today && today <= ate);
  const term = plan.validade_dias !== null && {
    expira_em: daysLater(today, plan.validade_dias),
    desde: isAway ? daysLater(today, 1) : today,
  };
  const lastDay = term ? deadline(term.expira_em, term.desde, away) : null;
  return [
    {
      type: 'CreditsGranted',
      data: {
        ...entry(origin),
        lot_id: origin.entry_id,
        quantidade: plan.creditos,
        plano_id: plan.id,
        expira_em: lastDay,
        expires_at: lastDay && endOfDay(lastDay, timezone),
        timezone,
        ...(plan.sem_pagamento && { sem_pagamento: true }),
        ...(term && { sem_ausencias: term }),
      },
    },
  ];
}

/** Opens a lot with credits from before Rende; 422 credits.already_expired if they have expired. */
export function decideOpen(
  origin: EntryOrigin,
  { quantidade, expira_em }: { quantidade: number; expira_em: string | null },
  timezone: string,
): CreditEvent[] {
  const expires_at = expira_em && endOfDay(expira_em, timezone);
  if (expires_at && Date.parse(expires_at) <= origin.now.getTime())
    throw new Problem('credits.already_expired');
  const lot_id = origin.entry_id;
  return [
    {
      type: 'CreditsOpened',
      data: { ...entry(origin), lot_id, quantidade, expira_em, expires_at, timezone },
    },
  ];
}

/** The first instant after a calendar date in the zone. */
export function endOfDay(date: string, timezone: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return new Date(+startOfDay(new TZDate(year!, month! - 1, day! + 1, timezone))).toISOString();
}

/** The days away before and after a change of them. `lotes`: the lots that counted what is no longer away, besides newer grants. */
interface AwayChange {
  before: readonly Away[];
  after: readonly Away[];
  lotes?: readonly string[];
  vacation_id: string | null;
  timezone: string;
}

/**
 * Moves the expiry of each lot that is running by as many days as the change gives or takes. `'expired'` if one of them would already
 * have expired.
 */
export function decideMove(
  state: CreditState,
  origin: EntryOrigin,
  { before, after, lotes, vacation_id, timezone }: AwayChange,
): CreditEvent[] | 'expired' {
  const byDays = new Map<number, LotExpiry[]>();
  for (const { lot_id, expira_em, expires_at, prazo } of state.lots) {
    if (!prazo || expira_em === null || Date.parse(expires_at!) <= origin.now.getTime()) continue;
    if (lotes && prazo.conta !== 'todas' && !lotes.includes(lot_id)) continue;
    const end = (away: readonly Away[]) => deadline(prazo.expira_em, prazo.desde, countedBy(prazo, away));
    const dias = daysBetween(end(before), end(after));
    if (dias === 0) continue;
    const day = daysLater(expira_em, dias);
    const ends = { lot_id, expira_em: day, expires_at: endOfDay(day, timezone) };
    if (Date.parse(ends.expires_at) <= origin.now.getTime()) return 'expired';
    byDays.set(dias, [...(byDays.get(dias) ?? []), ends]);
  }
  return [...byDays].map(([dias, moved]) => ({
    type: 'CreditsExtended',
    data: { ...entry(origin), dias, lotes: moved, vacation_id, timezone },
  }));
}

/** By how many days a move moves each lot that a student can use, if it expires. */
export function daysMoved(state: CreditState, now: Date, move: readonly CreditEvent[]): number[] {
  const extended = move.flatMap((event) => (event.type === 'CreditsExtended' ? [event.data] : []));
  return usableLots(state, now)
    .filter(({ expires_at }) => expires_at !== null)
    .map((own) => extended.find(({ lotes }) => lotes.some((lot) => lot.lot_id === own.lot_id))?.dias ?? 0);
}

const countedBy = ({ desde, conta }: Term, away: readonly Away[]) =>
  conta === 'inteiras' ? away.filter((days) => days.desde >= desde) : away;

/**
 * Uses one credit for a session: no event when the session already holds one, `'none'` when there is none to use.
 */
export function decideConsume(
  state: CreditState,
  origin: EntryOrigin,
  { causa, session_id }: ConsumptionCause,
): CreditEvent[] | 'none' {
  if (lotOf(state, session_id) !== undefined) return [];
  const [lot] = usableLots(state, origin.now);
  if (!lot) return 'none';
  return [
    {
      type: 'CreditConsumed',
      data: { ...entry(origin), lot_id: lot.lot_id, causa, session_id, motivo: null },
    },
  ];
}

/** Returns the credit that a session holds to its lot; `'none'` when it holds none. */
export function decideReturn(
  state: CreditState,
  origin: EntryOrigin,
  session_id: string,
): CreditEvent[] | 'none' {
  const lot_id = lotOf(state, session_id);
  if (lot_id === undefined) return 'none';
  return [{ type: 'CreditReturned', data: { ...entry(origin), lot_id, session_id } }];
}

/** Uses one credit by hand; 422 credits.none_available at zero. */
export function decideConsumeByHand(state: CreditState, origin: EntryOrigin, motivo: string): CreditEvent[] {
  const [lot] = usableLots(state, origin.now);
  if (!lot) throw new Problem('credits.none_available', { detail: 'No credits available' });
  return [
    {
      type: 'CreditConsumed',
      data: { ...entry(origin), lot_id: lot.lot_id, causa: 'manual', session_id: null, motivo },
    },
  ];
}

/** Adds credits that never expire, or removes credits in order of use; 422 credits.not_enough below zero. */
export function decideAdjust(
  state: CreditState,
  origin: EntryOrigin,
  { quantidade, motivo }: { quantidade: number; motivo: string },
): CreditEvent[] {
  const available = balance(state, origin.now);
  if (available + quantidade < 0) {
    throw new Problem('credits.not_enough', {
      detail:
        available === 0
          ? 'O aluno não tem créditos para remover.'
          : `O saldo é de ${plural(available, 'crédito', 'créditos')}. Remova no máximo ${available}.`,
      errors: [{ pointer: '/quantidade', detail: 'Maior que o saldo' }],
    });
  }
  const lotes =
    quantidade > 0
      ? [{ lot_id: origin.entry_id, quantidade }]
      : taken(usableLots(state, origin.now), -quantidade);
  return [{ type: 'CreditsAdjusted', data: { ...entry(origin), quantidade, lotes, motivo } }];
}

/**
 * Takes back the credits with which a lot was granted: from the lot itself first, then from the others in their order of use.
 * Credits that have expired are not taken (`expirados` counts them, without those that were counted before). `'used'` if the
 * student has not enough left.
 */
export function decideTakeBack(
  state: CreditState,
  origin: EntryOrigin,
  { lot_id, quantidade, motivo, contados }: LotShare & { motivo: string; contados: number },
): { events: CreditEvent[]; expirados: number } | 'used' {
  const usable = usableLots(state, origin.now);
  const gone = state.lots.find((lot) => lot.lot_id === lot_id && !usable.includes(lot))?.remaining ?? 0;
  const expirados = Math.min(quantidade, Math.max(gone - contados, 0));
  const wanted = quantidade - expirados;
  if (balance(state, origin.now) < wanted) return 'used';
  const itself = (lot: Lot) => Number(lot.lot_id === lot_id);
  const lotes = taken(
    usable.toSorted((one, other) => itself(other) - itself(one)),
    wanted,
  );
  const data = { ...entry(origin), quantidade: -wanted, lotes, motivo };
  return { events: lotes.length === 0 ? [] : [{ type: 'CreditsAdjusted', data }], expirados };
}

/** Takes all credits that are valid now. */
export function decideRemoveAll(state: CreditState, origin: EntryOrigin, motivo: string): CreditEvent[] {
  const available = balance(state, origin.now);
  if (available === 0) return [];
  const lotes = taken(usableLots(state, origin.now), available);
  return [{ type: 'CreditsAdjusted', data: { ...entry(origin), quantidade: -available, lotes, motivo } }];
}

/** How many credits to take from each of these lots, in their order, for a total quantity. */
export function taken(lots: readonly Lot[], quantity: number): LotShare[] {
  let left = quantity;
  return lots.flatMap(({ lot_id, remaining }) => {
    const part = Math.min(left, remaining);
    left -= part;
    return part === 0 ? [] : [{ lot_id, quantidade: -part }];
  });
}
