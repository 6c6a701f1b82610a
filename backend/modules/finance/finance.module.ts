import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { deliveredMonth } from './delivered-month.js';
import { DeliverMonth, NoteMonthChange, UndoMonthDelivery } from './delivered-months.commands.js';
import { deliveredMonths } from './delivered-months.projection.js';
import { DeliveredMonths, noteMonthChanges } from './delivered-months.reaction.js';
import { definePrice } from '../audit/price.queries.js';
import { financeMonths } from './finance-months.projection.js';
import { financeApi, financeErrors } from './finance.api.js';
import { ReverseTransaction, RecordTransaction, CorrectTransaction } from './finance.commands.js';
import { FinanceController } from './finance.controller.js';
import { ListFigureLines, SumFigure } from './figure-lines.queries.js';
import { financeHistory } from './finance.history.js';
import { financeOwnData } from './finance.own-data.js';
import { ShowMonth, ShowYear, ListTransactions, GetTransaction, ListAllocations } from './finance.queries.js';
import { transactionWhy } from './finance.why.js';
import { ListMonthChangesHandler } from './month-changes.queries.js';
import { forecastApi } from './forecast.api.js';
import { ShowForecast } from './forecast.queries.js';
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
import { financeEffects } from './finance.effects.js';

/**
 * Money is dated today or before, in the trainer's zone (`refuseToCome`, in every decision that records an entry, and for
 * receipts): what is to come is a charge or a recurring expense. Only a Pix that a provider reports is never refused; its day is
 * today at the latest.
 *
 * Recurring expenses (`recurring-expense` in `finance`) are recorded by the same rule (`platform/months.ts`): the stream stores
 * the next month that is due, and the entry's id follows from expense and month, so each month is recorded once, on its day at
 * 6:00.
 *
 * "Como estava em": months, years, lines, entries, receivables and students' credits take a moment (`at`), and then answer what was
 * known at it. `PastTables` folds the log up to that position with the projections of today into rows in memory, and runs the
 * statement of today on these rows instead of the tables (common table expressions of the same names), so the past has no rules of
 * its own; a projection in SQL says its tables as selects over its events (`asOf`), and the totals of months are sums of the entries
 * (`past-figures.ts`). The fold is done in portions, as a report (one at a time for
 * each tenant), and texts are only decrypted where they are shown; forgotten people have no names in the past either. Days are
 * counted in the zone of today. `finance/months/{month}/changes` lists what was recorded since, with who, when and why. A test
 * compares a random history with what the reads answered while it was made.
 *
 * A month can be marked as handed to the accountant (`delivered-month`), again after it changed, and that be undone. Its summary then
 * says how many entries were recorded since and what they are worth; `DeliveredMonthChanged`, recorded by a reaction for the first
 * entry after each delivery, is what the notification follows from.
 *
 * "Do previsto ao recebido" (`forecast.ts`): what was predicted is what the forecast of today answers as of a moment, for the
 * page the month's first. Each of its lines, and each charge and entry that was paid in the month, is compared with what came of it, and each cent
 * of the difference gets one reason, so the reasons add up. A charge that was predicted explains itself: what was paid of it in
 * other months, refunded, discounted, cancelled (with its session: vacation, absence, or otherwise) or is still open. A monthly
 * plan is its charge of that month; without one, its student was paused, or the agreement ended. Money that was not predicted
 * is late from, or early for, other months, or of what was charged since: of new students first, else by what the charge is for.
 *
 * Every figure of a month opens the list of its entries (`figure-lines.queries.ts`), each of which leads to what it comes from,
 * and whose sum the database computes independently of the summaries. Correcting an entry reverses it and records another in one
 * command; both refer to each other.
 */
@Module(
  together(
    serve(financeApi, {
      reverse: ReverseTransaction,
      reversePrice: definePrice<[string]>('PriceReverseTransaction', ReverseTransaction, (id) => [
        id,
        { motivo: '' },
      ]),
      month: ShowMonth,
      deliver: DeliverMonth,
      undoDelivery: UndoMonthDelivery,
      year: ShowYear,
      list: ListTransactions,
      get: GetTransaction,
      record: RecordTransaction,
      correct: CorrectTransaction,
      allocations: ListAllocations,
      lines: ListFigureLines,
    }),
    serve(forecastApi, { show: ShowForecast }),
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
        DeliveredMonths,
        NoteMonthChange.Handler,
      ],
    },
  ),
)
export class FinanceModule {
  static readonly feature: Feature = {
    aggregates: [transaction, recurringExpense, deliveredMonth],
    projections: [transactions, financeMonths, recurringExpenses, deliveredMonths],
    history: financeHistory,
    effects: financeEffects,
    why: { transaction: transactionWhy },
    ownData: financeOwnData,
    errors: { ...financeErrors, ...recurringExpenseErrors },
    jobs: [recurringExpenseDays],
    reactions: [noteMonthChanges],
  };
}
