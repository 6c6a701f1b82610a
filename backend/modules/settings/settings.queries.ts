import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { defaultSettings, type FinancialSettings, type ShownSettings } from './settings.api.js';

export const ShowFinancialSettings = defineQuery(
  'ShowFinancialSettings',
  async ({ context, read }): Promise<ShownSettings> => {
    const [row] = await read(own({}));
    const { moeda, settings: set } = row!;
    const { completed_at = null, ...settings } =
      set ?? (defaultSettings as FinancialSettings & { completed_at?: null });
    return {
      ...settings,
      moeda,
      fuso_horario: context.timezone,
      completed_at: completed_at === null ? null : new Date(completed_at).toISOString(),
    };
  },
);

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
