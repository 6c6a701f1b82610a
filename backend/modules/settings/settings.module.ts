import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { financialSettings as aggregate } from './financial-settings.js';
import { ChangeFinancialSettings, CompleteOnboarding } from './settings.commands.js';
import { SettingsController } from './settings.controller.js';
import { settingsHistory } from './settings.history.js';
import { financialSettings } from './settings.projection.js';
import { ShowFinancialSettings } from './settings.queries.js';

@Module({
  controllers: [SettingsController],
  providers: [ChangeFinancialSettings.Handler, CompleteOnboarding.Handler, ShowFinancialSettings.Handler],
})
export class SettingsModule {
  static readonly feature: Feature = {
    aggregates: [aggregate],
    projections: [financialSettings],
    history: settingsHistory,
  };
}
