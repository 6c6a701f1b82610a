import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { allocate, type Allocation, type Shares } from './allocation.js';
import type { NewTransaction, PaymentMethod, TransactionKind } from './finance.api.js';

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
}

export type TransactionEvent =
  | { type: 'TransactionRecorded'; data: Entry }
  /** The reversing entry. It repeats the original's data, so that it can be read alone; `estorno_id` is its own id. */
  | { type: 'TransactionReversed'; data: Entry & { estorno_id: string } };

/** Undefined until it is recorded. */
export type TransactionState = (Entry & { reversed: boolean }) | undefined;

// The trainer's free text is encrypted with the trainer's own key.
const personal = {
  person: (_data: Entry, tenantId: string) => tenantId,
  fields: ['descricao'] as const,
};

export const transaction: Aggregate<TransactionState, TransactionEvent> = {
  name: 'transaction',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'TransactionRecorded':
        return { ...data, reversed: false };
      case 'TransactionReversed':
        return state && { ...state, reversed: true };
    }
  },
  events: {
    TransactionRecorded: { schemaVersion: 1, personal },
    TransactionReversed: { schemaVersion: 1, personal },
  },
};

export function decideRecord(
  transaction_id: string,
  entry: NewTransaction,
  shares: Shares,
): TransactionEvent[] {
  const alocacoes = entry.tipo === 'receita' ? allocate(entry.valor, shares) : [];
  return [{ type: 'TransactionRecorded', data: { transaction_id, ...entry, alocacoes } }];
}

/** A transaction is never edited: it is reversed once, and the reversal has the same date. */
export function decideReverse(state: TransactionState, estorno_id: string): TransactionEvent[] {
  if (!state) throw new Problem('finance.transaction_not_found');
  const { reversed, ...entry } = state;
  if (reversed) throw new Problem('finance.already_reversed');
  return [{ type: 'TransactionReversed', data: { ...entry, estorno_id } }];
}
