import { timingSafeEqual } from 'node:crypto';
import { Body, Controller, Param, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/env.js';
import { contextOfLink } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { Serves } from '../../platform/http/serve.js';
import { hashOf } from '../../platform/link-tokens.js';
import { readMailReport } from '../../platform/mail/mail-reports.js';
import { letterLinksApi, oneClickApi, mailHookApi, type LetterSwitch } from './letters.api.js';
import { StopMails, SwitchLetters, TakeMailReport } from './letters.commands.js';
import { type FoundLetterLink, LetterLinks } from './letters.queries.js';

/** For the page behind the link in a mail. */
@Controller()
export class LetterLinksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
  ) {}

  @Serves(letterLinksApi.show)
  show(@Param('token') token: string) {
    return this.links.show(token);
  }

  @Serves(letterLinksApi.change)
  async change(@Body() { token, ativo, alvo }: LetterSwitch, @Req() request: FastifyRequest) {
    const link = await this.links.find(token);
    return this.commands.execute(switchOf(link, { alvo, ativo }, request));
  }
}

/** For the unsubscribe button of mail programs (RFC 8058), which send no `Idempotency-Key` and may send it twice. */
@Controller()
export class OneClickController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
  ) {}

  @Serves(oneClickApi.tap)
  async tap(@Param('token') token: string, @Req() request: FastifyRequest) {
    const link = await this.links.find(token);
    await this.commands.execute(switchOf(link, { alvo: 'tipo', ativo: false }, request));
  }
}

/** Where the mail server hands over what came back: failed deliveries and complaints. */
@Controller()
export class MailHookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: LetterLinks,
    private readonly config: Config,
  ) {}

  /** Any other mail is taken too, and changes nothing: a mailbox gets all sorts. */
  @Serves(mailHookApi.take)
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
