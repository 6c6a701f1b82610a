import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { nobodyOf } from '../../platform/event-store/context.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { readSigned } from '../../platform/http/read-request.js';
import { RateLimit } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { Serves } from '../../platform/http/serve.js';
import { Config } from '../../platform/config/env.js';
import { AddressRefused, refuseUnlessPublic } from '../../platform/outgoing/public-request.js';
import { PixHooks } from './pix-hooks.service.js';
import { ReceivePix } from './pix-notices.commands.js';
import { hookParams, pixNotice, pixNoticesCalls } from './pix-notices.api.js';
import { pixProviderCalls, type NewPixProvider } from './pix-provider.api.js';
import { ConnectPixProvider } from './pix-payments.commands.js';
import { ProviderCodesJob } from './provider-codes.job.js';
import { isSigned } from '../../platform/signed-bytes.js';
import type { ArrivedPix, PixProvider } from './pix-provider.js';

/**
 * The webhook of the central bank's API Pix: `{"pix": [{"endToEndId", "txid", "valor", "horario"}]}`, with an HMAC-SHA256 of
 * the body in `x-signature`. A provider that signs by its certificate alone needs a proxy in front that checks it and signs.
 */
const apiPix: PixProvider = {
  name: 'api-pix',
  isSigned: (bytes, headers, secret) => isSigned(bytes, headers['x-signature'], secret),
  read(body): ArrivedPix[] {
    return pixNotice.parse(body).pix.map(({ endToEndId, txid = null, valor, horario }) => ({
      endToEndId,
      txid,
      horario,
      valor: Math.round(Number(valor) * 100),
    }));
  },
};

@Controller()
export class PixProviderController {
  constructor(
    private readonly commands: CommandBus,
    private readonly config: Config,
    private readonly job: ProviderCodesJob,
  ) {}

  @Serves(pixProviderCalls.connect)
  connect(@Ctx() context: CommandContext, @Body() body: NewPixProvider) {
    for (const field of ['url_api', 'url_token'] as const) this.refuseInside(field, body[field]);
    return this.commands.execute(new ConnectPixProvider(context, body));
  }

  /** Records no event. The request does not wait for the result, which is shown when it is there. */
  @Serves(pixProviderCalls.test)
  test(@Ctx() { tenantId }: CommandContext) {
    this.job.wake(tenantId, true);
    return { answer: { id: tenantId }, position: 0 };
  }

  /** Refuses internal addresses at once; what a host name resolves to is checked at each connection. */
  private refuseInside(field: string, address: string): void {
    const url = new URL(address);
    if (url.origin === this.config.pixTestOrigin) return;
    try {
      refuseUnlessPublic(url);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      const detail = 'Use um endereço https:// público, sem número de porta';
      throw new Problem('pix_provider.address_refused', {
        detail,
        errors: [{ pointer: `/${field}`, detail }],
      });
    }
  }
}

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
    isSigned: true,
    params: hookParams,
    body: pixNotice,
    status: 204,
  })
  async receive(@Param('account') account: string, @Req() request: FastifyRequest) {
    const hook = await this.hooks.find(account);
    const secrets = hook ? [hook.segredo, ...hook.anteriores.map(({ segredo }) => segredo)] : [];
    const isTheirs = secrets.some((secret) => apiPix.isSigned(request.bytes!, request.headers, secret));
    if (!hook || !isTheirs) throw new Problem('charges.not_signed');
    for (const pix of apiPix.read(readSigned(request)))
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
