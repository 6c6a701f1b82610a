import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CSV_MEDIA, csvFile } from '../../platform/http/csv-file.js';
import { type AtMoment, atMoment, created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  allocations,
  figureLines,
  figureLinesQuery,
  type FigureLinesQuery,
  monthChanges,
  monthChangesQuery,
  type MonthChangesQuery,
  monthParams,
  monthSummary,
  newTransaction,
  recorded,
  type NewTransaction,
  transaction,
  transactionCorrection,
  type TransactionCorrection,
  transactionPage,
  transactionReversal,
  transactionSheetQuery,
  type TransactionSheetQuery,
  type TransactionReversal,
  transactionsQuery,
  type TransactionsQuery,
  yearParams,
  yearSummary,
} from './finance.api.js';
import { CorrectTransaction, RecordTransaction, ReverseTransaction } from './finance.commands.js';
import { ListFigureLines } from './figure-lines.queries.js';
import { ListMonthChanges } from './month-changes.queries.js';
import { GetTransaction, ListAllocations, ListTransactions, ShowMonth, ShowYear } from './finance.queries.js';
import { WriteTransactionSheet } from './transaction-sheet.queries.js';

@Controller()
export class FinanceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('transactions')
  @Route({ summary: 'Lista transações de um mês', query: transactionsQuery, answer: transactionPage })
  list(@Ctx() context: CommandContext, @Query() list: TransactionsQuery) {
    return this.queries.execute(new ListTransactions(context, list));
  }

  @Get('transactions/sheet')
  @Route({ summary: 'Baixa o histórico de um mês em CSV', query: transactionSheetQuery, media: CSV_MEDIA })
  async sheet(@Ctx() context: CommandContext, @Query() asked: TransactionSheetQuery) {
    return csvFile(
      `lancamentos-${asked.month}.csv`,
      await this.queries.execute(new WriteTransactionSheet(context, asked)),
    );
  }

  @Get('transactions/:id')
  @Route({ summary: 'Mostra uma transação', params: idParams, answer: transaction })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetTransaction(context, id));
  }

  @Post('transactions')
  @Route({ summary: 'Registra uma receita ou despesa', body: newTransaction, answer: recorded, status: 201 })
  record(@Ctx() context: CommandContext, @Body() entry: NewTransaction) {
    return this.commands.execute(new RecordTransaction(context, entry));
  }

  @Post('transactions/:id/reverse')
  @Route({
    summary: 'Estorna uma transação',
    params: idParams,
    body: transactionReversal,
    answer: created,
    status: 201,
  })
  reverse(@Ctx() context: CommandContext, @Param('id') id: string, @Body() { motivo }: TransactionReversal) {
    return this.commands.execute(new ReverseTransaction(context, id, motivo));
  }

  @Post('transactions/:id/correct')
  @Route({
    summary: 'Corrige uma transação: estorna e registra de novo',
    params: idParams,
    body: transactionCorrection,
    answer: created,
    status: 201,
  })
  correct(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Body() correction: TransactionCorrection,
  ) {
    return this.commands.execute(new CorrectTransaction(context, id, correction));
  }

  @Get('transactions/:id/allocations')
  @Route({ summary: 'Mostra as alocações de uma transação', params: idParams, answer: allocations })
  allocations(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ListAllocations(context, id));
  }

  @Get('finance/months/:month')
  @Route({
    summary: 'Mostra os indicadores de um mês',
    params: monthParams,
    query: atMoment,
    answer: monthSummary,
    readsSummaries: true,
  })
  month(@Ctx() context: CommandContext, @Param('month') month: string, @Query() { at }: AtMoment) {
    return this.queries.execute(new ShowMonth(context, month, at));
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

  @Get('finance/lines')
  @Route({
    summary: 'Lista as linhas de que um valor é feito',
    query: figureLinesQuery,
    answer: figureLines,
  })
  lines(@Ctx() context: CommandContext, @Query() list: FigureLinesQuery) {
    return this.queries.execute(new ListFigureLines(context, list));
  }

  @Get('finance/years/:year')
  @Route({
    summary: 'Mostra um ano, mês a mês',
    params: yearParams,
    query: atMoment,
    answer: yearSummary,
    readsSummaries: true,
  })
  year(@Ctx() context: CommandContext, @Param('year') year: string, @Query() { at }: AtMoment) {
    return this.queries.execute(new ShowYear(context, Number(year), at));
  }
}
