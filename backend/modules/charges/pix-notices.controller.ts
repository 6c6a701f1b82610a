import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { created, idParams } from '../../platform/http/common.api.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { apiPix } from './api-pix.service.js';
import { PixHooks } from './pix-hooks.service.js';
import { DecidePix, ReceivePix, ReplacePixSecret } from './pix-notices.commands.js';
import {
  hookParams,
  pixDecision,
  type PixDecision,
  pixHook,
  pixNotice,
  undecidedList,
  type UndecidedList,
  undecidedPage,
} from './pix-notices.api.js';
import { ListUndecidedPix } from './pix-notices.queries.js';

const BY_ADDRESS = { name: 'pix-notices', points: 3000, seconds: 60 };

/** The webhook for a trainer's provider. The API Pix sends no Idempotency-Key. */
@Controller('pix/v1')
export class PixHookController {
  constructor(
    private readonly commands: CommandBus,
    private readonly hooks: PixHooks,
  ) {}

  /** Some providers add `/pix` to the address that they were given. */
  @Post([':account', ':account/pix'])
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Recebe os avisos de Pix do provedor',
    public: true,
    keepsBytes: true,
    params: hookParams,
    body: pixNotice,
    status: 204,
  })
  async receive(@Param('account') account: string, @Body() body: unknown, @Req() request: FastifyRequest) {
    const hook = await this.hooks.find(account);
    const secrets = hook ? [hook.segredo, ...hook.anteriores.map(({ segredo }) => segredo)] : [];
    const isSigned = secrets.some((secret) => apiPix.isSigned(request.bytes!, request.headers, secret));
    if (!hook || !isSigned) throw new Problem('charges.not_signed');
    for (const pix of apiPix.read(body))
      await this.commands.execute(new ReceivePix(nobodyOf(account, hook.timezone, request.id), pix));
  }
}

@Controller()
export class PixNoticesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly hooks: PixHooks,
  ) {}

  @Get('settings/pix/webhook')
  @Route({ summary: 'Mostra o endereço e o segredo do aviso automático', answer: pixHook })
  async hook(@Ctx() { tenantId }: CommandContext) {
    const { segredo, anteriores } = (await this.hooks.find(tenantId))!;
    const anterior_ate = anteriores[0]?.ate ?? null;
    return { url: this.hooks.urlOf(tenantId), segredo, anterior_ate };
  }

  @Post('settings/pix/webhook/secret')
  @Route({
    summary: 'Troca o segredo do aviso automático: o anterior funciona por mais 3 dias',
    answer: created,
  })
  replaceSecret(@Ctx() context: CommandContext) {
    return this.commands.execute(new ReplacePixSecret(context));
  }

  @Get('arrived-pix')
  @Route({ summary: 'Lista os Pix a decidir', query: undecidedList, answer: undecidedPage })
  list(@Ctx() context: CommandContext, @Query() list: UndecidedList) {
    return this.queries.execute(new ListUndecidedPix(context, list));
  }

  @Post('arrived-pix/:id/decide')
  @Route({ summary: 'Decide o que fazer com um Pix', params: idParams, body: pixDecision, answer: created })
  decide(@Ctx() context: CommandContext, @Param('id') id: string, @Body() decision: PixDecision) {
    return this.commands.execute(new DecidePix(context, id, decision));
  }
}
