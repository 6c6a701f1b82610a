import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl } from '../../platform/portuguese.js';
import type { TenantEvent } from '../accounts/tenant.js';
import type { FinancialSettingsEvent } from './financial-settings.js';
import { type FinancialSettings, type ZoneName, zoneNames } from './settings.api.js';

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

export const settingsHistory: HistoryWords<
  FinancialSettingsEvent | Extract<TenantEvent, { type: 'TenantZoneChanged' }>
> = {
  TenantZoneChanged: {
    subjects,
    words: ({ timezone }: { timezone: ZoneName }) => `Mudou o fuso horário: ${zoneNames[timezone]}`,
  },
  OnboardingCompleted: { subjects, words: () => 'Respondeu a Configuração Inicial' },
  FinancialSettingsChanged: {
    subjects,
    words: (changed: Partial<FinancialSettings>) => {
      const named = Object.entries(changed) as [keyof FinancialSettings, number][];
      return `Mudou as configurações: ${named.map(([name, value]) => words[name](value)).join(', ')}`;
    },
  },
};
