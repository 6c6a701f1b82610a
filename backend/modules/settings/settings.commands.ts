import { defineCommand } from '../../platform/event-store/define-command.js';
import { decideChange, decideComplete, financialSettings } from './financial-settings.js';
import type { OnboardingData, SettingsChange } from './settings.api.js';

export const ChangeFinancialSettings = defineCommand(
  'ChangeFinancialSettings',
  async (tx, wanted: SettingsChange) => {
    const id = tx.context.tenantId;
    tx.append(financialSettings, id, decideChange(await tx.load(financialSettings, id), wanted));
    return { id };
  },
);

export const CompleteOnboarding = defineCommand('CompleteOnboarding', async (tx, answers: OnboardingData) => {
  const id = tx.context.tenantId;
  tx.append(financialSettings, id, decideComplete(await tx.load(financialSettings, id), answers));
  return { id };
});
