import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { ApiPixClient } from './api-pix-client.service.js';
import { CodeTurns } from './code-turns.service.js';
import { pixProviderApi, pixProviderErrors } from './pix-provider.api.js';
import { DisconnectPixProvider, ReconnectPixProvider, ConnectPixProvider } from './pix-provider.commands.js';
import { PixProviderController } from './pix-provider.controller.js';
import { pixProviderHistory } from './pix-provider.history.js';
import { pixCodes, pixProviders } from './pix-provider.projection.js';
import { ShowPixProvider } from './pix-provider.queries.js';
import { providerCode } from './provider-code.js';
import { codeTurns, dueCodeTurns, ProviderCodesJob, visitProvider } from './provider-codes.job.js';
import { providerConnection } from './provider-connection.js';

/** Pix codes of charges that a provider creates, and whose payments it reports. */
@Module(
  together(
    serve(pixProviderApi, {
      show: ShowPixProvider,
      disconnect: DisconnectPixProvider,
      reconnect: ReconnectPixProvider,
    }),
    {
      controllers: [PixProviderController],
      providers: [ConnectPixProvider.Handler, ApiPixClient, CodeTurns, ProviderCodesJob],
    },
  ),
)
export class PixProviderModule {
  static readonly feature: Feature = {
    aggregates: [providerConnection, providerCode],
    projections: [pixProviders, pixCodes],
    history: pixProviderHistory,
    errors: pixProviderErrors,
    jobs: [visitProvider, dueCodeTurns],
    reactions: [codeTurns],
    // Rows of closed tenants.
    purges: ['pix_code_turns', 'pix_provider_checks'].map(
      (table) =>
        `delete from ${table} b where not exists (select from tenants t where t.tenant_id = b.tenant_id)`,
    ),
  };
}
