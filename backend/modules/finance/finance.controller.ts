import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  allocations,
  monthParams,
  monthSummary,
  newTransaction,
  type NewTransaction,
  transactionPage,
  transactionsQuery,
  type TransactionsQuery,
  yearParams,
  yearSummary,
} from './finance.api.js';
import { RecordTransaction, ReverseTransaction } from './finance.commands.js';
import { ListAllocations, ListTransactions, ShowMonth, ShowYear } from './finance.queries.js';

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

  @Post('transactions')
  @Route({ summary: 'Registra uma receita ou despesa', body: newTransaction, answer: created, status: 201 })
  record(@Ctx() context: CommandContext, @Body() entry: NewTransaction) {
    return this.commands.execute(new RecordTransaction(context, entry));
  }

  @Post('transactions/:id/reverse')
  @Route({ summary: 'Estorna uma transação', params: idParams, answer: created, status: 201 })
  reverse(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ReverseTransaction(context, id));
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
    answer: monthSummary,
    readsSummaries: true,
  })
  month(@Ctx() context: CommandContext, @Param('month') month: string) {
    return this.queries.execute(new ShowMonth(context, month));
  }

  @Get('finance/years/:year')
  @Route({
    summary: 'Mostra um ano, mês a mês',
    params: yearParams,
    answer: yearSummary,
    readsSummaries: true,
  })
  year(@Ctx() context: CommandContext, @Param('year') year: string) {
    return this.queries.execute(new ShowYear(context, Number(year)));
  }
}
