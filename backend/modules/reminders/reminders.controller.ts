import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { findReminder, ShowConfirmation } from './confirmations.queries.js';
import {
  confirmation,
  confirmationBody,
  type ConfirmationBody,
  confirmationParams,
  confirmed,
} from './reminders.api.js';
import { ConfirmPresence } from './reminders.commands.js';

const BY_ADDRESS = { name: 'confirmations', points: 100, seconds: 600 };

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
