import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { defaultSettings, type ShownSettings } from './settings.api.js';

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
    const { completed_at = null, ...settings } =
      row ?? (defaultSettings as ShownSettings & { completed_at?: null });
    return {
      ...settings,
      fuso_horario: context.timezone,
      completed_at: completed_at === null ? null : new Date(completed_at).toISOString(),
    };
  }
}

const own = statement((db) =>
  db
    .selectFrom('financial_settings')
    .select(['meta_mensal', 'meta_trimestral', 'meta_anual', 'meta_reserva'])
    .select(['imposto', 'reserva', 'operacional', 'retirada', 'completed_at'])
    .compile(),
);
