import { Body, Controller, Get, Param, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { confirmPage } from './confirm-page.html.js';
import { findReminder, ShowConfirmation } from './confirmations.queries.js';
import { confirmationParams, confirmationsApi, type ConfirmationBody } from './reminders.api.js';
import { ConfirmPresence } from './reminders.commands.js';

/** The page on which a student confirms. Opening it changes nothing, because messengers open links before people do. */
@Controller('confirmar')
export class ConfirmPageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get(':token')
  @RateLimit(OPENINGS)
  @Route({
    summary: 'Abre a página em que um aluno confirma uma aula',
    tags: ['reminders'],
    public: true,
    params: confirmationParams,
    query: anyQuery,
    media: 'text/html',
  })
  async open(@Param('token') token: string, @Res() reply: FastifyReply) {
    const lesson = await this.queries.execute(new ShowConfirmation(token));
    return this.pages.send(reply, confirmPage({ lesson, token, siteUrl: this.pages.siteUrl }));
  }
}

/** What the script of that page writes. */
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
