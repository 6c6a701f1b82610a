import { rowProjection } from '../../platform/projections/projection.js';
import type { TenantEvent } from '../accounts/tenant.js';
import { financialSettings as aggregate, type FinancialSettingsEvent } from './financial-settings.js';
import { defaultSettings, type FinancialSettings } from './settings.api.js';

type SettingsRow = FinancialSettings & { completed_at: string | null };

/** A tenant's settings, by the tenant's id; no row while all are defaults. */
export const financialSettings = rowProjection<SettingsRow>({
  name: 'financial-settings',
  topic: 'settings',
  table: 'financial_settings',
  // Students see times in the tenant's zone.
  students: 'all',
  // The zone is stored with the tenant; this topic tells screens that show settings about its change.
  events: ['OnboardingCompleted', 'FinancialSettingsChanged', 'TenantZoneChanged'] satisfies (
    | FinancialSettingsEvent
    | TenantEvent
  )['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(row, { type, data, recordedAt }) {
    if (type === 'TenantZoneChanged') return row ?? null;
    const { completed_at = null, ...current } = row ?? (defaultSettings as SettingsRow);
    const { completed, ...settings } = aggregate.evolve({ ...current, completed: completed_at !== null }, {
      type,
      data,
    } as FinancialSettingsEvent);
    return { ...settings, completed_at: completed ? (completed_at ?? recordedAt.toISOString()) : null };
  },
});
