import { Body, Controller, Param, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { findReminder, ShowConfirmation } from './confirmations.queries.js';
import { confirmationsApi, type ConfirmationBody } from './reminders.api.js';
import { ConfirmPresence } from './reminders.commands.js';

/** The link by which a student confirms. GET changes nothing, because messengers open links before people do. */
@Controller()
export class ConfirmationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly database: Database,
  ) {}

  @Serves(confirmationsApi.show)
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowConfirmation(token));
  }

  /** The token is sent in the body, because paths are stored beside the Idempotency-Key. */
  @Serves(confirmationsApi.confirm)
  async confirm(@Body() { token }: ConfirmationBody, @Req() request: FastifyRequest) {
    const link = await findReminder(this.database, token);
    const { reminderId, sessionId } = link;
    return this.commands.execute(new ConfirmPresence(contextOfLink(link, request), reminderId, sessionId));
  }
}
