import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { apiPix } from './api-pix.service.js';
import { PixHooks } from './pix-hooks.service.js';
import { ReceivePix } from './pix-notices.commands.js';
import { hookParams, pixNotice, pixNoticesCalls } from './pix-notices.api.js';

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
  constructor(private readonly hooks: PixHooks) {}

  @Serves(pixNoticesCalls.hook)
  async hook(@Ctx() { tenantId }: CommandContext) {
    const { segredo, anteriores } = (await this.hooks.find(tenantId))!;
    const anterior_ate = anteriores[0]?.ate ?? null;
    return { url: this.hooks.urlOf(tenantId), segredo, anterior_ate };
  }
}
