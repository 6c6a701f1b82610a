import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Route } from '../../platform/http/route.js';
import { MakeChargeLinks } from '../charges/charges.queries.js';
import {
  cancellationPreview,
  type CancellationQuery,
  cancellationQuery,
  dashboard,
  newSession,
  type NewSession,
  session,
  sessionCancellation,
  type SessionCancellation,
  sessionChanges,
  type SessionChanges,
  sessionOutcome,
  sessionReturn,
  type SessionReturn,
  sessionPage,
  sessionsQuery,
  type SessionsQuery,
  sessionToChargePage,
  toChargeQuery,
  type ToChargeQuery,
} from './agenda.api.js';
import {
  BookSession,
  CancelSession,
  ChangeSession,
  CompleteSession,
  DeleteSession,
  ReopenSession,
  RestoreSession,
} from './agenda.commands.js';
import { GetSession, ListSessions, ListSessionsToCharge, ShowDashboard } from './agenda.queries.js';
import { PreviewCancellation } from './cancellation.queries.js';

@Controller()
export class AgendaController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('dashboard')
  @Route({ summary: 'Mostra os números do dia e as próximas sessões', answer: dashboard })
  dashboard(@Ctx() context: CommandContext) {
    return this.queries.execute(new ShowDashboard(context));
  }

  @Get('sessions')
  @Route({ summary: 'Lista sessões de um período', query: sessionsQuery, answer: sessionPage })
  list(@Ctx() context: CommandContext, @Query() list: SessionsQuery) {
    return this.queries.execute(new ListSessions(context, list));
  }

  @Post('sessions')
  @Route({ summary: 'Agenda uma sessão', body: newSession, answer: created, status: 201 })
  book(@Ctx() context: CommandContext, @Body() booking: NewSession) {
    return this.commands.execute(new BookSession(context, booking));
  }

  @Get('sessions/to-charge')
  @Route({ summary: 'Lista sessões a cobrar', query: toChargeQuery, answer: sessionToChargePage })
  toCharge(@Ctx() context: CommandContext, @Query() list: ToChargeQuery) {
    return this.queries.execute(new ListSessionsToCharge(context, list));
  }

  @Get('sessions/:id')
  @Route({ summary: 'Mostra uma sessão', params: idParams, answer: session })
  get(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.queries.execute(new GetSession(context, id));
  }

  @Patch('sessions/:id')
  @Route({ summary: 'Altera uma sessão', params: idParams, body: sessionChanges, answer: sessionOutcome })
  async change(@Ctx() context: CommandContext, @Param('id') id: string, @Body() changes: SessionChanges) {
    return this.commands.execute(
      new ChangeSession(context, id, changes, (await this.queries.execute(new MakeChargeLinks()))()),
    );
  }

  @Delete('sessions/:id')
  @Route({ summary: 'Exclui uma sessão', params: idParams, answer: created })
  remove(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new DeleteSession(context, id));
  }

  @Post('sessions/:id/restore')
  @Route({
    summary: 'Desfaz a exclusão de uma sessão',
    params: idParams,
    body: sessionReturn,
    answer: sessionOutcome,
  })
  restore(@Ctx() context: CommandContext, @Param('id') id: string, @Body() options: SessionReturn) {
    return this.commands.execute(new RestoreSession(context, id, options));
  }

  @Post('sessions/:id/complete')
  @Route({
    summary: 'Marca uma sessão como feita',
    params: idParams,
    body: sessionReturn,
    answer: sessionOutcome,
  })
  complete(@Ctx() context: CommandContext, @Param('id') id: string, @Body() options: SessionReturn) {
    return this.commands.execute(new CompleteSession(context, id, options));
  }

  @Post('sessions/:id/reopen')
  @Route({ summary: 'Reabre uma sessão', params: idParams, body: sessionReturn, answer: sessionOutcome })
  reopen(@Ctx() context: CommandContext, @Param('id') id: string, @Body() options: SessionReturn) {
    return this.commands.execute(new ReopenSession(context, id, options));
  }

  @Post('sessions/:id/cancel')
  @Route({
    summary: 'Cancela uma sessão',
    params: idParams,
    body: sessionCancellation,
    answer: sessionOutcome,
  })
  async cancel(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Body() cancellation: SessionCancellation,
  ) {
    return this.commands.execute(
      new CancelSession(context, id, cancellation, (await this.queries.execute(new MakeChargeLinks()))()),
    );
  }

  @Get('sessions/:id/cancellation')
  @Route({
    summary: 'Mostra o que cancelar agora custa ao aluno',
    params: idParams,
    query: cancellationQuery,
    answer: cancellationPreview,
  })
  cancellation(
    @Ctx() context: CommandContext,
    @Param('id') id: string,
    @Query() { motivo }: CancellationQuery,
  ) {
    return this.queries.execute(new PreviewCancellation(context, id, motivo));
  }
}
