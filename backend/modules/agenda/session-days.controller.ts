import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { sessionDays, sessionDaysQuery, type SessionDaysQuery } from './session-days.api.js';
import { CountSessionDays } from './session-days.queries.js';

/** What the calendar's month and year show. */
@Controller('sessions')
export class SessionDaysController {
  constructor(private readonly queries: QueryBus) {}

  @Get('days')
  @Route({
    summary: 'Conta as sessões de cada dia de um período',
    query: sessionDaysQuery,
    answer: sessionDays,
  })
  count(@Ctx() context: CommandContext, @Query() period: SessionDaysQuery) {
    return this.queries.execute(new CountSessionDays(context, period));
  }
}
