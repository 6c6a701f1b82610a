import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { defaultSettings, type FinancialSettings, type ShownSettings } from './settings.api.js';

export class ShowFinancialSettings extends Query<ShownSettings> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

@QueryHandler(ShowFinancialSettings)
export class ShowFinancialSettingsHandler implements IQueryHandler<ShowFinancialSettings> {
  constructor(private readonly database: Database) {}

  async execute({ context }: ShowFinancialSettings): Promise<ShownSettings> {
    const [row] = await this.database.read(context.tenantId, own({}));
    const { moeda, settings: set } = row!;
    const { completed_at = null, ...settings } =
      set ?? (defaultSettings as FinancialSettings & { completed_at?: null });
    return {
      ...settings,
      moeda,
      fuso_horario: context.timezone,
      completed_at: completed_at === null ? null : new Date(completed_at).toISOString(),
    };
  }
}

const own = statement((db) =>
  db
    .selectFrom('tenants')
    .select((eb) => [
      'currency as moeda',
      jsonObjectFrom(
        eb
          .selectFrom('financial_settings')
          .select(['meta_mensal', 'meta_trimestral', 'meta_anual', 'meta_reserva'])
          .select(['imposto', 'reserva', 'operacional', 'retirada', 'completed_at']),
      ).as('settings'),
    ])
    .compile(),
);
