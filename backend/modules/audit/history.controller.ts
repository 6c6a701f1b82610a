import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { historyPage, historyQuery, type HistoryQuery } from './history.api.js';
import { ShowHistory } from './history.queries.js';

@Controller('history')
export class HistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Route({ summary: 'Mostra o histórico de um assunto', query: historyQuery, answer: historyPage })
  show(@Ctx() context: CommandContext, @Query() list: HistoryQuery) {
    return this.queries.execute(new ShowHistory(context, list));
  }
}
