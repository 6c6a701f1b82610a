import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { contextOfLink } from '../../platform/http/context.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import {
  letterLink,
  letterLinkParams,
  type LetterSwitch,
  letterSwitch,
  letterSwitched,
  oneClick,
} from './letters.api.js';
import { SwitchLetters } from './letters.commands.js';
import { findLetterLink, ShowLetterLink } from './letters.queries.js';

const BY_ADDRESS = { name: 'letter-links', points: 100, seconds: 600 };
/** Higher limit, because the requests of a mail service come from few addresses. */
const BY_MAIL_SERVICE = { name: 'letter-taps', points: 3000, seconds: 600 };

/** For the page behind the link in a mail. */
@Controller('letter-links')
export class LetterLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly database: Database,
  ) {}

  @Get(':token')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Mostra quais e-mails o link de um deles desativa',
    public: true,
    params: letterLinkParams,
    answer: letterLink,
  })
  show(@Param('token') token: string) {
    return this.queries.execute(new ShowLetterLink(token));
  }

  @Post()
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Deixa de enviar, ou volta a enviar, os e-mails do link',
    public: true,
    body: letterSwitch,
    answer: letterSwitched,
  })
  async change(@Body() { token, ativo }: LetterSwitch, @Req() request: FastifyRequest) {
    const link = await findLetterLink(this.database, token);
    return this.commands.execute(new SwitchLetters(contextOfLink(link, request), link.kind, ativo));
  }
}

/** For the unsubscribe button of mail programs (RFC 8058), which send no `Idempotency-Key` and may send it twice. */
@Controller('avisos')
export class OneClickController {
  constructor(
    private readonly commands: CommandBus,
    private readonly database: Database,
  ) {}

  @Post(':token')
  @RateLimit(BY_MAIL_SERVICE)
  @Route({
    summary: 'Deixa de enviar os e-mails do link, a pedido do programa de e-mail',
    tags: ['letter-links'],
    public: true,
    takes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
    bodyLimit: 10_000,
    params: letterLinkParams,
    body: oneClick,
    status: 204,
  })
  async tap(@Param('token') token: string, @Req() request: FastifyRequest) {
    const link = await findLetterLink(this.database, token);
    await this.commands.execute(new SwitchLetters(contextOfLink(link, request), link.kind, false));
  }
}
