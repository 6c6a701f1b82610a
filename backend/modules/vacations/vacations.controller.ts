import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  newVacation,
  type NewVacation,
  vacationDone,
  type VacationList,
  vacationList,
  vacationMessages,
  vacationPage,
  vacationPreview,
  vacationPreviewQuery,
  type VacationPreviewQuery,
  vacationUndone,
} from './vacations.api.js';
import { ActivateVacation, RemoveVacation, RestoreVacation, UndoVacation } from './vacations.commands.js';
import { ListVacationMessages, ListVacations, PreviewVacation } from './vacations.queries.js';

@Controller('vacations')
export class VacationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista os períodos de férias ativos', query: vacationList, answer: vacationPage })
  list(@Ctx() context: CommandContext, @Query() list: VacationList) {
    return this.queries.execute(new ListVacations(context, list));
  }

  @Get('preview')
  @Route({
    summary: 'Mostra quem as férias atingem',
    query: vacationPreviewQuery,
    answer: vacationPreview,
  })
  preview(@Ctx() context: CommandContext, @Query() asked: VacationPreviewQuery) {
    return this.queries.execute(new PreviewVacation(context, asked));
  }

  @Post()
  @Route({ summary: 'Ativa férias', body: newVacation, answer: vacationDone, status: 201 })
  activate(@Ctx() context: CommandContext, @Body() wanted: NewVacation) {
    return this.commands.execute(new ActivateVacation(context, wanted));
  }

  @Delete(':id')
  @Route({ summary: 'Remove um período de férias', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RemoveVacation(context, id));
  }

  @Post(':id/restore')
  @Route({ summary: 'Desfaz a remoção de um período de férias', params: idParams, answer: created })
  restore(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new RestoreVacation(context, id));
  }

  @Post(':id/undo')
  @Route({
    summary: 'Desfaz as férias com tudo o que elas mudaram',
    params: idParams,
    answer: vacationUndone,
  })
  undo(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new UndoVacation(context, id));
  }

  @Get(':id/messages')
  @Route({
    summary: 'Prepara as mensagens aos alunos atingidos',
    params: idParams,
    answer: vacationMessages,
  })
  messages(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ListVacationMessages(context, id));
  }
}
