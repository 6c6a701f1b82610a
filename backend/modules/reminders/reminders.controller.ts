import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, contextOfLink, Ctx } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { Route } from '../../platform/http/route.js';
import { findReminder, ShowConfirmation } from './confirmations.queries.js';
import {
  confirmation,
  confirmationBody,
  type ConfirmationBody,
  confirmationParams,
  confirmed,
  reminderList,
  remindersQuery,
  type RemindersQuery,
  remindersWaiting,
} from './reminders.api.js';
import {
  ConfirmOwnSession,
  ConfirmPresence,
  MarkReminderSent,
  MarkReminderUnsent,
} from './reminders.commands.js';
import { CountRemindersWaiting, ListReminders } from './reminders.queries.js';

const BY_ADDRESS = { name: 'confirmations', points: 100, seconds: 600 };

@Controller('reminders')
export class RemindersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Route({ summary: 'Lista os lembretes das próximas sessões', query: remindersQuery, answer: reminderList })
  list(@Ctx() context: CommandContext, @Query() asked: RemindersQuery) {
    return this.queries.execute(new ListReminders(context, asked));
  }

  @Get('waiting')
  @Route({ summary: 'Conta os lembretes a enviar', answer: remindersWaiting })
  waiting(@Ctx() context: CommandContext) {
    return this.queries.execute(new CountRemindersWaiting(context));
  }

  @Post(':id/sent')
  @Route({ summary: 'Marca um lembrete como enviado', params: idParams, answer: created })
  sent(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new MarkReminderSent(context, id));
  }

  @Post(':id/unsent')
  @Route({ summary: 'Desfaz o envio de um lembrete', params: idParams, answer: created })
  unsent(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new MarkReminderUnsent(context, id));
  }
}

/** For the student, signed in. */
@Controller('student/sessions')
export class OwnConfirmationsController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':id/confirm')
  @RateLimit(STUDENT_WRITES)
  @Route({
    summary: 'Confirma a presença do próprio aluno em uma aula',
    roles: ['aluno'],
    byLink: true,
    params: idParams,
    answer: confirmed,
  })
  confirm(@Ctx() context: CommandContext, @Param('id') id: string) {
    return this.commands.execute(new ConfirmOwnSession(context, id));
  }
}

/** The link by which a student confirms. GET changes nothing, because messengers open links before people do. */
@Controller('confirmations')
export class ConfirmationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly database: Database,
  ) {}

  @Get(':token')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Mostra uma aula a confirmar',
    public: true,
    params: confirmationParams,
    answer: confirmation,
  })
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowConfirmation(token));
  }

  /** The token is sent in the body, because paths are stored beside the Idempotency-Key. */
  @Post()
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Confirma a presença em uma aula',
    public: true,
    body: confirmationBody,
    answer: confirmed,
  })
  async confirm(@Body() { token }: ConfirmationBody, @Req() request: FastifyRequest) {
    const link = await findReminder(this.database, token);
    const { reminderId, sessionId } = link;
    return this.commands.execute(new ConfirmPresence(contextOfLink(link, request), reminderId, sessionId));
  }
}
