import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { allocate, type Allocation, type Shares } from './allocation.js';
import {
  AFTER_TODAY,
  type ExpenseCategory,
  type NewTransaction,
  type PaymentMethod,
  type TransactionCorrection,
  type TransactionKind,
} from './finance.api.js';
import type { Reassigned } from '../students/reassigned.js';
import { upcasters } from './upcasters.js';

interface Entry {
  transaction_id: string;
  tipo: TransactionKind;
  /** Calendar date to whose month the entry counts. */
  data: string;
  metodo_pagamento: PaymentMethod;
  descricao: string | null;
  /** Cents, positive. */
  valor: number;
  /** Parts of a receita that add up to `valor`; none of a despesa. */
  alocacoes: Allocation[];
  /** The student, if one was given; for the payment of a charge, the charge names the student. */
  student_id: string | null;
  /** Only for a despesa. */
  categoria: ExpenseCategory | null;
}

/** The reason of a reversal, and the entry that replaces the reversed one. */
interface Reversal {
  estorno_id: string;
  motivo: string | null;
  corrigida_por: string | null;
}

export type TransactionEvent =
  | {
      type: 'TransactionRecorded';
      data: Entry & {
        /** The entry that this one replaces. */
        corrige_id: string | null;
      };
    }
  /** The reversing entry. It repeats the original's data, so that it can be read alone; `estorno_id` is its own id. */
  | { type: 'TransactionReversed'; data: Entry & Reversal }
  | {
      type: 'TransactionReassigned';
      data: Reassigned & { transaction_id: string; estorno_id: string | null };
    };

/** Undefined until it is recorded; `estorno_id`: the entry that reverses it, `corrigida_por`: the one that replaces it. */
export type TransactionState =
  | (Entry & { estorno_id: string | null; corrigida_por: string | null })
  | undefined;

// The trainer's free text is encrypted with the trainer's own key.
const ofTrainer = (_data: Entry, tenantId: string) => tenantId;

export const transaction: Aggregate<TransactionState, TransactionEvent> = {
  name: 'transaction',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'TransactionRecorded':
        return entryOf(data);
      case 'TransactionReversed':
        return state && { ...state, estorno_id: data.estorno_id, corrigida_por: data.corrigida_por };
      case 'TransactionReassigned':
        return state && { ...state, student_id: data.student_id };
    }
  },
  events: {
    TransactionRecorded: {
      schemaVersion: 2,
      personal: { person: ofTrainer, fields: ['descricao'] },
      uses: ({ student_id }) => ({ student: student_id }),
      upcasters: upcasters.TransactionRecorded,
    },
    TransactionReversed: {
      schemaVersion: 2,
      personal: { person: ofTrainer, fields: ['descricao', 'motivo'] },
      uses: 'nothing new',
      upcasters: upcasters.TransactionReversed,
    },
    TransactionReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
  },
};

function entryOf({ corrige_id: _before, ...entry }: Entry & { corrige_id: string | null }) {
  return { ...entry, estorno_id: null, corrigida_por: null };
}

/** How a receita is divided, and the current day in the tenant's zone. */
export interface EntryTerms extends Shares {
  today: string;
}

/** @throws Problem 422 for money dated after today: what is to come is a charge, or a recurring expense */
export function refuseToCome({ data, tipo }: Pick<Entry, 'data' | 'tipo'>, today: string): void {
  if (data <= today) return;
  const way = tipo === 'receita' ? 'uma cobrança' : 'uma despesa recorrente';
  const detail = `${AFTER_TODAY}. O que está por vir é ${way}.`;
  throw new Problem('finance.after_today', { detail, errors: [{ pointer: '/data', detail: AFTER_TODAY }] });
}

type Recorded = Extract<TransactionEvent, { type: 'TransactionRecorded' }>;

export function decideRecord(
  transaction_id: string,
  { student_id = null, categoria = null, ...entry }: NewTransaction,
  { today, ...shares }: EntryTerms,
  corrige_id: string | null = null,
): Recorded[] {
  refuseToCome(entry, today);
  const isIncome = entry.tipo === 'receita';
  const alocacoes = isIncome ? allocate(entry.valor, shares) : [];
  const about = { student_id, categoria: isIncome ? null : categoria };
  return [
    { type: 'TransactionRecorded', data: { transaction_id, ...entry, alocacoes, ...about, corrige_id } },
  ];
}

/** A transaction is never edited: it is reversed once, and the reversal has the same date. */
export function decideReverse(
  state: TransactionState,
  estorno_id: string,
  motivo: string | null = null,
  corrigida_por: string | null = null,
): TransactionEvent[] {
  if (!state) throw new Problem('finance.transaction_not_found');
  const { estorno_id: reversal, corrigida_por: _next, ...entry } = state;
  if (reversal !== null) throw new Problem('finance.already_reversed');
  return [{ type: 'TransactionReversed', data: { ...entry, estorno_id, motivo, corrigida_por } }];
}

/** The fields that a correction can change. */
const CORRECTED = [
  'tipo',
  'descricao',
  'valor',
  'metodo_pagamento',
  'data',
  'student_id',
  'categoria',
] as const;

/** Reverses an entry and records its replacement. @throws Problem 422 if nothing would change */
export function decideCorrect(
  state: TransactionState,
  { motivo, ...entry }: TransactionCorrection,
  ids: { estorno_id: string; transaction_id: string },
  terms: EntryTerms,
): { reversed: TransactionEvent[]; recorded: Recorded[] } {
  const reversed = decideReverse(state, ids.estorno_id, motivo, ids.transaction_id);
  const recorded = decideRecord(ids.transaction_id, entry, terms, state!.transaction_id);
  const after = recorded[0]!.data;
  if (CORRECTED.every((field) => state![field] === after[field]))
    throw new Problem('finance.nothing_to_correct');
  return { reversed, recorded };
}
