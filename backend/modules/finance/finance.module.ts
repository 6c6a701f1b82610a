import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { financeMonths } from './finance-months.projection.js';
import { financeErrors } from './finance.api.js';
import { CorrectTransaction, RecordTransaction, ReverseTransaction } from './finance.commands.js';
import { FinanceController } from './finance.controller.js';
import { ListFigureLines, SumFigure } from './figure-lines.queries.js';
import { financeHistory } from './finance.history.js';
import { GetTransaction, ListAllocations, ListTransactions, ShowMonth, ShowYear } from './finance.queries.js';
import { ListMonthChangesHandler } from './month-changes.queries.js';
import { recurringExpense } from './recurring-expense.js';
import { recurringExpenseErrors } from './recurring-expenses.api.js';
import {
  AddRecurringExpense,
  EndRecurringExpense,
  SetRecurringExpense,
} from './recurring-expenses.commands.js';
import { RecurringExpensesController } from './recurring-expenses.controller.js';
import { recurringExpenseDays, RecurringExpensesJob } from './recurring-expenses.job.js';
import { recurringExpenses } from './recurring-expenses.projection.js';
import { ListRecurringExpenses } from './recurring-expenses.queries.js';
import { transaction } from './transaction.js';
import { WriteTransactionSheet } from './transaction-sheet.queries.js';
import { transactions } from './transactions.projection.js';

@Module({
  controllers: [FinanceController, RecurringExpensesController],
  providers: [
    RecordTransaction.Handler,
    ReverseTransaction.Handler,
    CorrectTransaction.Handler,
    ListTransactions.Handler,
    GetTransaction.Handler,
    ListAllocations.Handler,
    ListFigureLines.Handler,
    ListMonthChangesHandler,
    SumFigure.Handler,
    ShowMonth.Handler,
    ShowYear.Handler,
    WriteTransactionSheet.Handler,
    AddRecurringExpense.Handler,
    SetRecurringExpense.Handler,
    EndRecurringExpense.Handler,
    ListRecurringExpenses.Handler,
    RecurringExpensesJob,
  ],
})
export class FinanceModule {
  static readonly feature: Feature = {
    aggregates: [transaction, recurringExpense],
    projections: [transactions, financeMonths, recurringExpenses],
    history: financeHistory,
    errors: { ...financeErrors, ...recurringExpenseErrors },
    jobs: [recurringExpenseDays],
  };
}
