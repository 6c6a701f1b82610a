import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import {
  group,
  groupChanged,
  groupHour,
  type GroupHour,
  newGroup,
  type NewGroup,
  newMembers,
  type NewMembers,
  sessionIds,
  type SessionIds,
  sessionsChanged,
} from './groups.api.js';
import { AddMembers, BookGroup, CompleteGroup, ReopenGroup, UndoBookings } from './groups.commands.js';
import { ListGroup } from './groups.queries.js';

/** Hours that several students share. */
@Controller('sessions')
export class GroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('groups/:id')
  @Route({ summary: 'Mostra as sessões de um grupo', params: idParams, answer: group })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new ListGroup(context, id));
  }

  @Post('groups')
  @Route({
    summary: 'Agenda um horário com vários alunos',
    body: newGroup,
    answer: groupChanged,
    status: 201,
  })
  book(@Ctx() context: CommandContext, @Body() booking: NewGroup) {
    return this.commands.execute(new BookGroup(context, booking));
  }

  @Post('groups/:id/complete')
  @Route({
    summary: 'Marca como feitas as sessões em aberto de um grupo',
    params: idParams,
    body: groupHour,
    answer: groupChanged,
  })
  complete(@Ctx() context: CommandContext, @Param('id') id: string, @Body() hour: GroupHour) {
    return this.commands.execute(new CompleteGroup(context, id, hour));
  }

  @Post('groups/:id/reopen')
  @Route({ summary: 'Reabre sessões de um grupo', params: idParams, body: sessionIds, answer: groupChanged })
  reopen(@Ctx() context: CommandContext, @Param('id') id: string, @Body() sessions: SessionIds) {
    return this.commands.execute(new ReopenGroup(context, id, sessions));
  }

  @Post('undo-bookings')
  @Route({
    summary: 'Desfaz agendamentos que ainda estão em aberto',
    body: sessionIds,
    answer: sessionsChanged,
  })
  undo(@Ctx() context: CommandContext, @Body() sessions: SessionIds) {
    return this.commands.execute(new UndoBookings(context, sessions));
  }

  @Post(':id/students')
  @Route({
    summary: 'Adiciona alunos ao horário de uma sessão',
    params: idParams,
    body: newMembers,
    answer: groupChanged,
    status: 201,
  })
  add(@Ctx() context: CommandContext, @Param('id') id: string, @Body() members: NewMembers) {
    return this.commands.execute(new AddMembers(context, id, members));
  }
}
