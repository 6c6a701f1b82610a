import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl } from '../../platform/portuguese.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { ChangeZone } from '../accounts/zone.commands.js';
import type { TenantEvent } from '../accounts/tenant.js';
import {
  settingsApi,
  defaultSettings,
  type FinancialSettings,
  type ZoneName,
  zoneNames,
  type OnboardingData,
  type SettingsChange,
} from './settings.api.js';
import {
  financialSettings,
  type FinancialSettingsEvent,
  decideChange,
  decideComplete,
} from './financial-settings.js';
import { ShowFinancialSettings } from './settings.queries.js';
import { defineCommand } from '../../platform/event-store/define-command.js';

const ChangeFinancialSettings = defineCommand(
  'ChangeFinancialSettings',
  async (tx, wanted: SettingsChange) => {
    const id = tx.context.tenantId;
    tx.append(financialSettings, id, decideChange(await tx.load(financialSettings, id), wanted));
    return { id };
  },
);

const CompleteOnboarding = defineCommand('CompleteOnboarding', async (tx, answers: OnboardingData) => {
  const id = tx.context.tenantId;
  tx.append(financialSettings, id, decideComplete(await tx.load(financialSettings, id), answers));
  return { id };
});

const subjects = (_data: never, tenantId: string) => [`settings:${tenantId}`];

const words: { [Name in keyof FinancialSettings]: (value: number) => string } = {
  meta_mensal: (value) => `meta mensal de ${brl(value)}`,
  meta_trimestral: (value) => `meta trimestral de ${brl(value)}`,
  meta_anual: (value) => `meta anual de ${brl(value)}`,
  meta_reserva: (value) => `meta de reserva de ${brl(value)}`,
  imposto: (value) => `${value}% para imposto`,
  reserva: (value) => `${value}% para reserva`,
  operacional: (value) => `${value}% para o operacional`,
  retirada: (value) => `${value}% para retirada`,
};

const settingsHistory: HistoryWords<
  FinancialSettingsEvent | Extract<TenantEvent, { type: 'TenantZoneChanged' }>
> = {
  TenantZoneChanged: {
    subjects,
    words: ({ timezone }) => `Mudou o fuso horário: ${zoneNames[timezone as ZoneName]}`,
  },
  OnboardingCompleted: { subjects, words: () => 'Respondeu a Configuração Inicial' },
  FinancialSettingsChanged: {
    subjects,
    words: (changed) => {
      const named = Object.entries(changed) as [keyof FinancialSettings, number][];
      return `Mudou as configurações: ${named.map(([name, value]) => words[name](value)).join(', ')}`;
    },
  },
};

type SettingsRow = FinancialSettings & { completed_at: string | null };

/** A tenant's settings, by the tenant's id; no row while all are defaults. */
const settingsRows = rowProjection<SettingsRow, FinancialSettingsEvent | TenantEvent>({
  name: 'financial-settings',
  topic: 'settings',
  table: 'financial_settings',
  // Students see times in the tenant's zone.
  students: 'all',
  // The zone is stored with the tenant; this topic tells screens that show settings about its change.
  events: ['OnboardingCompleted', 'FinancialSettingsChanged', 'TenantZoneChanged'],
  keys: ({ tenantId }) => [tenantId],
  evolve(row, { type, data, recordedAt }) {
    if (type === 'TenantZoneChanged') return row ?? null;
    const { completed_at = null, ...current } = row ?? (defaultSettings as SettingsRow);
    const { completed, ...settings } = financialSettings.evolve(
      { ...current, completed: completed_at !== null },
      {
        type,
        data,
      } as FinancialSettingsEvent,
    );
    return { ...settings, completed_at: completed ? (completed_at ?? recordedAt.toISOString()) : null };
  },
});

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
    aggregates: [financialSettings],
    projections: [settingsRows],
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
