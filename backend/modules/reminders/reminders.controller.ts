import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { anyQuery, OPENINGS, Pages } from '../../platform/http/pages/send-page.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { confirmPage } from './confirm-page.html.js';
import { Confirmations } from './confirmations.queries.js';
import { confirmationParams } from './reminders.api.js';

/** The page on which a student confirms. Opening it changes nothing, because messengers open links before people do. */
@Controller('confirmar')
export class ConfirmPageController {
  constructor(
    private readonly confirmations: Confirmations,
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
    const lesson = await this.confirmations.show(token);
    return this.pages.send(reply, confirmPage({ lesson, token, siteUrl: this.pages.siteUrl }));
  }
}
