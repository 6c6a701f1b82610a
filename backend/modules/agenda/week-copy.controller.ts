import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { sessionsChanged } from './groups.api.js';
import {
  weekCopy,
  type WeekCopy,
  weekCopyPreview,
  weekCopyQuery,
  type WeekCopyQuery,
} from './week-copy.api.js';
import { CopyWeek } from './week-copy.commands.js';
import { PreviewWeekCopy } from './week-copy.queries.js';

/** Copies the sessions of a week to the next one. */
@Controller('sessions/week-copy')
export class WeekCopyController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({
    summary: 'Mostra o que a cópia de uma semana agendaria na seguinte',
    query: weekCopyQuery,
    answer: weekCopyPreview,
  })
  preview(@Ctx() context: CommandContext, @Query() asked: WeekCopyQuery) {
    return this.queries.execute(new PreviewWeekCopy(context, asked));
  }

  @Post()
  @Route({
    summary: 'Agenda sessões de novo uma semana depois',
    body: weekCopy,
    answer: sessionsChanged,
    status: 201,
  })
  copy(@Ctx() context: CommandContext, @Body() copied: WeekCopy) {
    return this.commands.execute(new CopyWeek(context, copied));
  }
}
