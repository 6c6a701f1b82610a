import { timingSafeEqual } from 'node:crypto';
import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/env.js';
import { contextOfLink } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { hashOf } from '../../platform/link-tokens.js';
import { readMailReport } from '../../platform/mail/mail-reports.js';
import {
  letterLink,
  letterLinkParams,
  type LetterSwitch,
  letterSwitch,
  letterSwitched,
  oneClick,
  rawMail,
} from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { type FoundLetterLink, LetterLinks, ShowLetterLink } from './letters.queries.js';

const REPORTS = { name: 'mail-reports', points: 600, seconds: 60 };
const BY_ADDRESS = { name: 'letter-links', points: 100, seconds: 600 };
/** Higher limit, because the requests of a mail service come from few addresses. */
const BY_MAIL_SERVICE = { name: 'letter-taps', points: 3000, seconds: 600 };

/** For the page behind the link in a mail. */
@Controller('letter-links')
export class LetterLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: LetterLinks,
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
  async change(@Body() { token, ativo, alvo }: LetterSwitch, @Req() request: FastifyRequest) {
    const link = await this.links.find(token);
    return this.commands.execute(switchOf(link, { alvo, ativo }, request));
  }
}

/** For the unsubscribe button of mail programs (RFC 8058), which send no `Idempotency-Key` and may send it twice. */
@Controller('avisos')
export class OneClickController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
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
    const link = await this.links.find(token);
    await this.commands.execute(switchOf(link, { alvo: 'tipo', ativo: false }, request));
  }
}

/** Where the mail server hands over what came back: failed deliveries and complaints. */
@Controller('hooks/mail')
export class MailHookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
    private readonly config: Config,
  ) {}

  /** Any other mail is taken too, and changes nothing: a mailbox gets all sorts. */
  @Post()
  @RateLimit(REPORTS)
  @Route({
    summary: 'Recebe do servidor de e-mail as mensagens que voltaram e as denúncias de spam',
    public: true,
    takes: ['message/rfc822'],
    body: rawMail,
    status: 204,
  })
  async take(@Body() raw: string, @Req() request: FastifyRequest) {
    const { mailHookSecret } = this.config;
    if (mailHookSecret === undefined) throw new Problem('not_found');
    if (!isSame(request.headers.authorization ?? '', `Bearer ${mailHookSecret}`))
      throw new Problem('unauthenticated');
    const report = await readMailReport(Buffer.from(raw, 'latin1'));
    const link = report && (await this.links.look(report.token));
    if (link) await this.commands.execute(new TakeMailReport(contextOfLink(link, request), link, report.why));
  }
}

const isSame = (given: string, wanted: string): boolean => timingSafeEqual(hashOf(given), hashOf(wanted));

/** A mail without a kind of its own stands for all of its trainer. */
function switchOf(
  link: FoundLetterLink,
  { alvo, ativo }: Omit<LetterSwitch, 'token'>,
  request: FastifyRequest,
) {
  const context = contextOfLink(link, request);
  if (alvo === 'tipo' && link.kind !== null) return new SwitchLetters(context, link.kind, ativo);
  return new StopMails(context, link, ativo);
}
