import { TZDate } from '@date-fns/tz';
import { addDays, format, startOfDay } from 'date-fns';
import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

/** Common to all lines of the ledger: whose, which line (UUID), decided when (ISO instant). */
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
      /** A new lot. It counts before the instant `expires_at`, which is where the day `expira_em` ends in `timezone`. */
      data: Entry & {
        lot_id: string;
        quantidade: number;
        plano_id: string;
        expira_em: string | null;
        expires_at: string | null;
        timezone: string;
      };
    }
  | {
      type: 'CreditConsumed';
      /** One credit of one lot: for a session that took place or was cancelled too late, or by hand for a reason. */
      data: Entry & {
        lot_id: string;
        causa: ConsumptionCause['causa'] | 'manual';
        session_id: string | null;
        motivo: string | null;
      };
    }
  /** The credit that a session had used goes back to the lot it came from. */
  | { type: 'CreditReturned'; data: Entry & { lot_id: string; session_id: string } }
  /** `quantidade` is signed and the sum of the lots': one new lot that never expires, or what was taken from several. */
  | {
      type: 'CreditsAdjusted';
      data: Entry & { quantidade: number; lotes: LotShare[]; motivo: string | null };
    };

export interface Lot {
  lot_id: string;
  remaining: number;
  /** ISO instant from which its credits no longer count; null: never. */
  expires_at: string | null;
  /** That each hold one of its credits. */
  sessions: readonly string[];
}

export interface CreditState {
  /** Oldest first. One that is empty and of which no session holds a credit is left out: nothing can go back to it. */
  lots: Lot[];
}

/** Why a session uses a credit: it took place, or it was cancelled outside of the policy's time. */
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
  fold: 2,
  initialState: { lots: [] },
  evolve({ lots }, { type, data }) {
    switch (type) {
      case 'CreditsGranted': {
        const { lot_id, quantidade, expires_at } = data;
        return { lots: [...lots, { lot_id, remaining: quantidade, expires_at, sessions: [] }] };
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
    }
  },
  events: {
    CreditsGranted: { schemaVersion: 1 },
    CreditConsumed: { schemaVersion: 1, personal },
    CreditReturned: { schemaVersion: 1 },
    CreditsAdjusted: { schemaVersion: 1, personal },
  },
};

/** Adds to a lot, or opens one without an expiry. `held` answers which sessions hold credits of it then. */
function moved(
  lots: Lot[],
  lot_id: string,
  quantity: number,
  held = (sessions: readonly string[]): readonly string[] => sessions,
): Lot[] {
  if (!lots.some((lot) => lot.lot_id === lot_id))
    return [...lots, { lot_id, remaining: quantity, expires_at: null, sessions: held([]) }];
  return lots
    .map((lot) =>
      lot.lot_id === lot_id
        ? { ...lot, remaining: lot.remaining + quantity, sessions: held(lot.sessions) }
        : lot,
    )
    .filter(({ remaining, sessions }) => remaining !== 0 || sessions.length > 0);
}

/** The lot of the credit that a session holds. */
function lotOf({ lots }: CreditState, session_id: string): string | undefined {
  return lots.find(({ sessions }) => sessions.includes(session_id))?.lot_id;
}

/** Lots with credits that count at `now`, in the order in which they are used: the first to expire, then the oldest. */
export function usableLots({ lots }: CreditState, now: Date): Lot[] {
  const expiry = (lot: Lot) => (lot.expires_at === null ? Infinity : Date.parse(lot.expires_at));
  return lots
    .filter((lot) => lot.remaining > 0 && expiry(lot) > now.getTime())
    .sort((a, b) => (expiry(a) === expiry(b) ? 0 : expiry(a) - expiry(b)));
}

export function balance(state: CreditState, now: Date): number {
  return usableLots(state, now).reduce((sum, { remaining }) => sum + remaining, 0);
}

/** What each command brings: the student, a fresh UUID for the line, and the present. */
export interface EntryOrigin {
  student_id: string;
  entry_id: string;
  now: Date;
}

const entry = ({ student_id, entry_id, now }: EntryOrigin): Entry => ({
  student_id,
  entry_id,
  at: now.toISOString(),
});

/** Grants a plan's credits as a new lot. `validade_dias` counts calendar days in `timezone` after today. */
export function decideGrant(
  origin: EntryOrigin,
  plan: { id: string; creditos: number; validade_dias: number | null },
  timezone: string,
): CreditEvent[] {
  if (plan.creditos === 0) throw new Problem('credits.plan_without_credits');
  const lastDay =
    plan.validade_dias === null ? null : addDays(new TZDate(origin.now, timezone), plan.validade_dias);
  return [
    {
      type: 'CreditsGranted',
      data: {
        ...entry(origin),
        lot_id: origin.entry_id,
        quantidade: plan.creditos,
        plano_id: plan.id,
        expira_em: lastDay && format(lastDay, 'yyyy-MM-dd'),
        expires_at: lastDay && new Date(+startOfDay(addDays(lastDay, 1))).toISOString(),
        timezone,
      },
    },
  ];
}

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

/** Gives back the credit that a session holds, to the lot it came from; `'none'` when it holds none. */
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

/** Adds credits that never expire, or takes some in the order of use; 422 credits.not_enough below zero. */
export function decideAdjust(
  state: CreditState,
  origin: EntryOrigin,
  { quantidade, motivo }: { quantidade: number; motivo: string },
): CreditEvent[] {
  const available = balance(state, origin.now);
  if (available + quantidade < 0) {
    throw new Problem('credits.not_enough', {
      detail: `O saldo é ${available}. Remova no máximo isso.`,
      errors: [{ pointer: '/quantidade', detail: 'Maior que o saldo' }],
    });
  }
  const lotes =
    quantidade > 0
      ? [{ lot_id: origin.entry_id, quantidade }]
      : taken(usableLots(state, origin.now), -quantidade);
  return [{ type: 'CreditsAdjusted', data: { ...entry(origin), quantidade, lotes, motivo } }];
}

function taken(lots: Lot[], quantity: number): LotShare[] {
  let left = quantity;
  return lots.flatMap(({ lot_id, remaining }) => {
    const part = Math.min(left, remaining);
    left -= part;
    return part === 0 ? [] : [{ lot_id, quantidade: -part }];
  });
}
