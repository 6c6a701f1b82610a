import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { ChangeZone } from '../accounts/zone.commands.js';
import { settingsApi } from './settings.api.js';
import { financialSettings as aggregate } from './financial-settings.js';
import { ChangeFinancialSettings, CompleteOnboarding } from './settings.commands.js';
import { settingsHistory } from './settings.history.js';
import { financialSettings } from './settings.projection.js';
import { ShowFinancialSettings } from './settings.queries.js';

@Module(
  serve(settingsApi, {
    show: ShowFinancialSettings,
    change: ChangeFinancialSettings,
    changeZone: ChangeZone,
    complete: CompleteOnboarding,
  }),
)
export class SettingsModule {
  static readonly feature: Feature = {
    aggregates: [aggregate],
    projections: [financialSettings],
    history: settingsHistory,
    ownData: {
      trainer: {
        configuracoes: `select t.currency as moeda, t.timezone as fuso_horario, f.meta_mensal, f.meta_trimestral, f.meta_anual,
            f.meta_reserva, f.imposto, f.reserva, f.operacional, f.retirada
          from tenants t left join financial_settings f on f.tenant_id = t.tenant_id`,
      },
    },
  };
}
