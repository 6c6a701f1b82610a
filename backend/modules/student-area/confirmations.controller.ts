import { Body, Controller, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { Serves } from '../../platform/http/serve.js';
import { findReminder } from '../reminders/confirmations.queries.js';
import { confirmationsApi, type ConfirmationBody } from '../reminders/reminders.api.js';
import { ConfirmPresence } from './own-changes.commands.js';

/** What the page of a reminder's link writes. */
@Controller()
export class ConfirmationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly database: Database,
  ) {}

  /** The token is sent in the body, because paths are stored beside the Idempotency-Key. */
  @Serves(confirmationsApi.confirm)
  async confirm(@Body() { token }: ConfirmationBody, @Req() request: FastifyRequest) {
    const link = await findReminder(this.database, token);
    const { reminderId, sessionId } = link;
    return this.commands.execute(new ConfirmPresence(contextOfLink(link, request), reminderId, sessionId));
  }
}
