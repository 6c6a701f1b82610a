import { monthAfter } from '../../platform/months.js';
import { rowProjection } from '../../platform/projections/projection.js';
import type { RecurringExpenseEvent } from './recurring-expense.js';

interface RecurringExpenseRow {
  descricao: string | null;
  valor: number;
  metodo_pagamento: string;
  categoria: string | null;
  vence_dia: number;
  desde: string;
  ate: string | null;
  proximo_mes: string;
  ativa: boolean;
}

export const recurringExpenses = rowProjection<RecurringExpenseRow>({
  name: 'recurring-expenses',
  topic: 'transactions',
  table: 'recurring_expenses',
  events: [
    'RecurringExpenseSet',
    'RecurringExpenseEnded',
    'RecurringExpenseRecorded',
  ] satisfies RecurringExpenseEvent['type'][],
  keys: ({ data }) => [data.expense_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as RecurringExpenseEvent;
    switch (type) {
      case 'RecurringExpenseSet': {
        const { expense_id: _id, ...terms } = data;
        return { ...terms, ativa: true };
      }
      case 'RecurringExpenseEnded':
        return row ? { ...row, ativa: false } : null;
      case 'RecurringExpenseRecorded':
        return row ? { ...row, proximo_mes: monthAfter(data.mes) } : null;
    }
  },
});
