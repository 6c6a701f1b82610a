import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  availability,
  availabilityChanged,
  exceptionParams,
  exceptionRows,
  type ExceptionRows,
  freeTimesAnswer,
  freeTimesQuery,
  type FreeTimesQuery,
  newWeek,
  type NewWeek,
} from './availability.api.js';
import { SetAvailability, SetAvailabilityException } from './availability.commands.js';
import { ListFreeTimes, ShowAvailability } from './availability.queries.js';

@Controller()
export class AvailabilityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('availability')
  @Route({ summary: 'Mostra os horários de atendimento', answer: availability })
  show(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowAvailability(context));
  }

  @Put('availability')
  @Route({ summary: 'Define a semana de atendimento', body: newWeek, answer: availabilityChanged })
  set(@Ctx() context: CommandContext, @Body() week: NewWeek) {
    return this.commands.execute(new SetAvailability(context, week));
  }

  @Put('availability/exceptions/:data')
  @Route({
    summary: 'Define o que muda em uma data',
    params: exceptionParams,
    body: exceptionRows,
    answer: availabilityChanged,
  })
  setException(@Ctx() context: CommandContext, @Param('data') data: string, @Body() rows: ExceptionRows) {
    return this.commands.execute(new SetAvailabilityException(context, data, rows));
  }

  @Get('free-times')
  @Route({
    summary: 'Mostra os horários livres',
    tags: ['availability'],
    query: freeTimesQuery,
    answer: freeTimesAnswer,
  })
  freeTimes(@Ctx() context: CommandContext, @Query() asked: FreeTimesQuery) {
    return this.queries.execute(new ListFreeTimes(context, asked));
  }
}
