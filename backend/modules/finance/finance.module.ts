import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { financeMonths } from './finance-months.projection.js';
import { financeErrors } from './finance.api.js';
import { CorrectTransaction, RecordTransaction, ReverseTransaction } from './finance.commands.js';
import { FinanceController } from './finance.controller.js';
import { financeHistory } from './finance.history.js';
import {
  ListAllocationsHandler,
  ListTransactionsHandler,
  ShowMonthHandler,
  ShowYearHandler,
} from './finance.queries.js';
import { ListFigureLinesHandler } from './month-lines.queries.js';
import { transaction } from './transaction.js';
import { transactions } from './transactions.projection.js';

@Module({
  controllers: [FinanceController],
  providers: [
    RecordTransaction.Handler,
    ReverseTransaction.Handler,
    CorrectTransaction.Handler,
    ListTransactionsHandler,
    ListAllocationsHandler,
    ListFigureLinesHandler,
    ShowMonthHandler,
    ShowYearHandler,
  ],
})
export class FinanceModule {
  static readonly feature: Feature = {
    aggregates: [transaction],
    projections: [transactions, financeMonths],
    history: financeHistory,
    errors: financeErrors,
  };
}
