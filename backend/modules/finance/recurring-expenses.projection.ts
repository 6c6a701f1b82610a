import { stateProjection } from '../../platform/projections/projection.js';
import { monthAfter } from '../../platform/months.js';
import { recurringExpense } from './recurring-expense.js';

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

export const recurringExpenses = stateProjection(recurringExpense, {
  name: 'recurring-expenses',
  topic: 'transactions',
  table: 'recurring_expenses',
  evolve(row: RecurringExpenseRow | undefined, event) {
    const { type, data } = event;
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
