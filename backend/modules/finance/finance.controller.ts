import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { CSV_MEDIA, csvFile } from '../../platform/http/csv-file.js';
import { Route } from '../../platform/http/route.js';
import {
  monthChanges,
  monthChangesQuery,
  type MonthChangesQuery,
  monthParams,
  transactionSheetQuery,
  type TransactionSheetQuery,
} from './finance.api.js';
import { ListMonthChanges } from './month-changes.queries.js';
import { WriteTransactionSheet } from './transaction-sheet.queries.js';

@Controller()
export class FinanceController {
  constructor(private readonly queries: QueryBus) {}

  @Get('transactions/sheet')
  @Route({ summary: 'Baixa o histórico de um mês em CSV', query: transactionSheetQuery, media: CSV_MEDIA })
  async sheet(@Ctx() context: CommandContext, @Query() asked: TransactionSheetQuery) {
    return csvFile(
      `lancamentos-${asked.month}.csv`,
      await this.queries.execute(new WriteTransactionSheet(context, asked)),
    );
  }

  @Get('finance/months/:month/changes')
  @Route({
    summary: 'Mostra o que mudou em um mês desde um momento',
    params: monthParams,
    query: monthChangesQuery,
    answer: monthChanges,
  })
  changes(@Ctx() context: CommandContext, @Param('month') month: string, @Query() list: MonthChangesQuery) {
    return this.queries.execute(new ListMonthChanges(context, month, list));
  }
}
