import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  holidayAdded,
  holidayChanged,
  holidayList,
  holidayParams,
  holidaysQuery,
  type HolidaysQuery,
  holidaySwitch,
  type HolidaySwitch,
  newHoliday,
  type NewHoliday,
} from './holidays.api.js';
import { AddHoliday, RemoveHoliday, RestoreHoliday, SwitchHoliday } from './holidays.commands.js';
import { ListHolidays } from './holidays.queries.js';

@Controller('holidays')
export class HolidaysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista feriados', query: holidaysQuery, answer: holidayList })
  list(@Ctx() context: CommandContext, @Query() asked: HolidaysQuery) {
    return this.queries.execute(new ListHolidays(context, asked));
  }

  @Post()
  @Route({ summary: 'Adiciona um feriado próprio', body: newHoliday, answer: holidayAdded, status: 201 })
  add(@Ctx() context: CommandContext, @Body() wanted: NewHoliday) {
    return this.commands.execute(new AddHoliday(context, wanted));
  }

  @Put(':id')
  @Route({
    summary: 'Ativa ou desativa um feriado',
    params: holidayParams,
    body: holidaySwitch,
    answer: holidayChanged,
  })
  switch(@Ctx() context: CommandContext, @Param('id') id: string, @Body() wanted: HolidaySwitch) {
    return this.commands.execute(new SwitchHoliday(context, id, wanted));
  }

  @Delete(':id')
  @Route({ summary: 'Remove um feriado próprio', params: idParams, answer: holidayChanged })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemoveHoliday(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Desfaz a remoção de um feriado próprio', params: idParams, answer: holidayChanged })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreHoliday(context, id));
  }
}
