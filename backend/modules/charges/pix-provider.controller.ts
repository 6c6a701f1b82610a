import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '../../platform/config/env.js';
import { type CommandContext, Ctx } from '../../platform/http/context.js';
import { Problem } from '../../platform/http/problem.js';
import { Serves } from '../../platform/http/serve.js';
import { AddressRefused, refuseUnlessPublic } from '../../platform/outgoing/public-request.js';
import { pixProviderCalls, type NewPixProvider } from './pix-provider.api.js';
import { ConnectPixProvider } from './pix-provider.commands.js';
import { ProviderCodesJob } from './provider-codes.job.js';

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
