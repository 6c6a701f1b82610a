import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { readSigned } from '../../platform/http/read-request.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { hashOf } from '../../platform/link-tokens.js';
import { isSigned } from '../../platform/signed-bytes.js';
import { whatsAppCalls } from './whatsapp.api.js';
import { hookChallenge, hookParams, hookReport } from './whatsapp-hook.api.js';
import { ReportWhatsApp, TakeWhatsAppAnswer } from './whatsapp.commands.js';
import { WhatsAppChecks } from './whatsapp-checks.service.js';
import { connectionOf } from './whatsapp-connection.js';
import { WhatsAppConnections } from './whatsapp-connections.service.js';
import { answersIn, reportsIn } from './whatsapp-reports.js';
import { ownMessages } from './whatsapp.queries.js';

@Controller()
export class WhatsAppController {
  constructor(
    private readonly checks: WhatsAppChecks,
    private readonly connections: WhatsAppConnections,
  ) {}

  /** Records no event. The request does not wait for the result, which is shown when it is there. */
  @Serves(whatsAppCalls.test)
  test(@Ctx() { tenantId }: CommandContext) {
    this.checks.wake(tenantId);
    return { answer: { id: tenantId }, position: 0 };
  }

  @Serves(whatsAppCalls.hook)
  hook(@Ctx() { tenantId }: CommandContext) {
    return this.connections.hookOf(tenantId);
  }
}

const BY_ADDRESS = { name: 'whatsapp-reports', points: 600, seconds: 60 };
/** Meta gathers reports: of a thousand messages there are some hundred kilobytes. */
const LARGEST = { bodyLimit: 1024 * 1024, maxValues: 50_000 };

/** The webhook for a trainer's number. What is not ours, or was reported before, is answered as everything else: Meta repeats what is not. */
@Controller('whatsapp/v1')
export class WhatsAppHookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly connections: WhatsAppConnections,
    private readonly database: Database,
  ) {}

  @Get(':account')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Confirma à Meta o endereço dos avisos do WhatsApp',
    public: true,
    params: hookParams,
    query: hookChallenge,
    media: 'text/plain',
  })
  verify(@Param('account') account: string, @Query() query: Record<string, string>): string {
    const { verificacao } = this.connections.hookOf(account);
    if (!timingSafeEqual(hashOf(verificacao), hashOf(query['hub.verify_token']!)))
      throw new Problem('whatsapp.not_signed');
    return query['hub.challenge']!;
  }

  @Post(':account')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Recebe da Meta o que aconteceu com as mensagens',
    public: true,
    isSigned: true,
    ...LARGEST,
    params: hookParams,
    body: hookReport,
  })
  async receive(@Param('account') account: string, @Req() request: FastifyRequest): Promise<void> {
    const found = await this.connections.find(account, request.id);
    const connection = found && connectionOf(found.state);
    const signature = request.headers['x-hub-signature-256'];
    if (!connection || !isSigned(request.bytes!, signature, connection.client_secret))
      throw new Problem('whatsapp.not_signed');
    const body = readSigned(request) as { entry: unknown[] };
    const context = nobodyOf(account, found.timezone, request.id);
    const reports = reportsIn(body, connection.numero_id);
    const ids = reports.map(({ id }) => id);
    const own = ids.length === 0 ? [] : await this.database.read(account, ownMessages({ ids }));
    const isOwn = new Set(own.map(({ id }) => id));
    for (const { id, ...report } of reports)
      if (isOwn.has(id)) await this.commands.execute(new ReportWhatsApp(context, id, report));
    for (const answer of answersIn(body, connection.numero_id))
      await this.commands.execute(new TakeWhatsAppAnswer(context, answer));
  }
}
