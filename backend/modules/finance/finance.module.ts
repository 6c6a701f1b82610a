import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { financeMonths } from './finance-months.projection.js';
import { financeApi, financeErrors } from './finance.api.js';
import { ReverseTransaction, RecordTransaction, CorrectTransaction } from './finance.commands.js';
import { FinanceController } from './finance.controller.js';
import { ListFigureLines, SumFigure } from './figure-lines.queries.js';
import { financeHistory } from './finance.history.js';
import { ShowMonth, ShowYear, ListTransactions, GetTransaction, ListAllocations } from './finance.queries.js';
import { ListMonthChangesHandler } from './month-changes.queries.js';
import { recurringExpense } from './recurring-expense.js';
import { recurringExpensesApi, recurringExpenseErrors } from './recurring-expenses.api.js';
import {
  AddRecurringExpense,
  SetRecurringExpense,
  EndRecurringExpense,
} from './recurring-expenses.commands.js';
import { recurringExpenseDays, RecurringExpensesJob } from './recurring-expenses.job.js';
import { recurringExpenses } from './recurring-expenses.projection.js';
import { ListRecurringExpenses } from './recurring-expenses.queries.js';
import { transaction } from './transaction.js';
import { WriteTransactionSheet } from './transaction-sheet.queries.js';
import { transactions } from './transactions.projection.js';

@Module(
  together(
    serve(financeApi, {
      reverse: ReverseTransaction,
      month: ShowMonth,
      year: ShowYear,
      list: ListTransactions,
      get: GetTransaction,
      record: RecordTransaction,
      correct: CorrectTransaction,
      allocations: ListAllocations,
      lines: ListFigureLines,
    }),
    serve(recurringExpensesApi, {
      list: ListRecurringExpenses,
      add: AddRecurringExpense,
      set: SetRecurringExpense,
      end: EndRecurringExpense,
    }),
    {
      controllers: [FinanceController],
      providers: [
        ListMonthChangesHandler,
        SumFigure.Handler,
        WriteTransactionSheet.Handler,
        RecurringExpensesJob,
      ],
    },
  ),
)
export class FinanceModule {
  static readonly feature: Feature = {
    aggregates: [transaction, recurringExpense],
    projections: [transactions, financeMonths, recurringExpenses],
    history: financeHistory,
    errors: { ...financeErrors, ...recurringExpenseErrors },
    jobs: [recurringExpenseDays],
  };
}
