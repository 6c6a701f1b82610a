import { type Aggregate, changedSince } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { dayOfMonth, latestMonth, monthAfter, monthReached } from '../../platform/local-time.js';
import type { RecurringExpenseChange, RecurringExpenseTerms } from './recurring-expenses.api.js';

interface Terms extends Omit<RecurringExpenseTerms, 'descricao'> {
  expense_id: string;
  /** Null once the trainer's key is destroyed. */
  descricao: string | null;
  /** First day of the first month that is recorded from then on. */
  proximo_mes: string;
}

export type RecurringExpenseEvent =
  | { type: 'RecurringExpenseSet'; data: Terms }
  | { type: 'RecurringExpenseEnded'; data: { expense_id: string } }
  | { type: 'RecurringExpenseRecorded'; data: { expense_id: string; mes: string; transaction_id: string } };

/** `ultimo_mes`: the last month that was recorded. */
export type KnownRecurringExpense = Terms & { ativa: boolean; ultimo_mes: string | null };
export type RecurringExpenseState = KnownRecurringExpense | undefined;

/** A monthly expense of the trainer, such as rent or the fee of a gym. */
export const recurringExpense: Aggregate<RecurringExpenseState, RecurringExpenseEvent> = {
  name: 'recurring-expense',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'RecurringExpenseSet':
        return { ...data, ativa: true, ultimo_mes: state?.ultimo_mes ?? null };
      case 'RecurringExpenseEnded':
        return state && { ...state, ativa: false };
      case 'RecurringExpenseRecorded':
        return state && { ...state, proximo_mes: monthAfter(data.mes), ultimo_mes: data.mes };
    }
  },
  events: {
    RecurringExpenseSet: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['descricao'] },
    },
    RecurringExpenseEnded: { schemaVersion: 1 },
    RecurringExpenseRecorded: { schemaVersion: 1 },
  },
};

const FIELDS = [
  'descricao',
  'valor',
  'metodo_pagamento',
  'categoria',
  'vence_dia',
  'desde',
  'ate',
] as const satisfies (keyof RecurringExpenseTerms)[];

/**
 * Changes apply from the next cycle on; overdue months are recorded first, with the former values (`recordLate`). A recorded
 * month is not recorded again, whatever the new day is; one that is still to be recorded is not left out if the new day of it
 * has passed.
 */
export function decideSet(
  state: RecurringExpenseState,
  expense_id: string,
  { se_ainda, ...terms }: RecurringExpenseChange,
  { now, timezone }: { now: Date; timezone: string },
): RecurringExpenseEvent[] {
  if (state?.ativa && FIELDS.every((field) => state[field] === terms[field])) return [];
  if (se_ainda === null && state?.ativa) throw changedSince('A despesa recorrente');
  const { desde, vence_dia } = terms;
  const month = `${desde.slice(0, 7)}-01`;
  const begun = desde <= dayOfMonth(month, vence_dia) ? month : monthAfter(month);
  const coming = monthAfter(monthReached(now, timezone, vence_dia));
  const proximo_mes = latestMonth(
    begun,
    isDue(state, state?.proximo_mes ?? '') && state.proximo_mes < coming ? state.proximo_mes : coming,
    ...(state?.ultimo_mes ? [monthAfter(state.ultimo_mes)] : []),
  );
  return [{ type: 'RecurringExpenseSet', data: { expense_id, ...terms, proximo_mes } }];
}

/** @throws Problem 404 for an unknown expense */
export function existingExpense(state: RecurringExpenseState): KnownRecurringExpense {
  if (!state) throw new Problem('finance.recurring_not_found');
  return state;
}

export function decideEnd(state: RecurringExpenseState): RecurringExpenseEvent[] {
  const { ativa, expense_id } = existingExpense(state);
  return ativa ? [{ type: 'RecurringExpenseEnded', data: { expense_id } }] : [];
}

/** Whether this month is the one to record. */
export function isDue(state: RecurringExpenseState, mes: string): state is KnownRecurringExpense {
  return (
    state !== undefined &&
    state.ativa &&
    state.proximo_mes === mes &&
    (!state.ate || state.ate >= dayOfMonth(mes, state.vence_dia))
  );
}
