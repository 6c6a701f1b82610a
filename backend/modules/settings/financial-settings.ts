import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import {
  defaultSettings,
  type FinancialSettings,
  type OnboardingData,
  type SettingsChange,
} from './settings.api.js';

/** The answers; lists as one text, separated by commas. Texts are null once the trainer's key is destroyed. */
type Answers = Omit<OnboardingData, 'tipo_atendimento' | 'tipo_planos' | 'formas_cobranca' | 'objetivos'> &
  Record<'tipo_atendimento' | 'tipo_planos' | 'formas_cobranca' | 'objetivos', string | null>;

export type FinancialSettingsEvent =
  | { type: 'OnboardingCompleted'; data: Answers }
  /** Only what changed. */
  | { type: 'FinancialSettingsChanged'; data: Partial<FinancialSettings> };

export interface FinancialSettingsState extends FinancialSettings {
  completed: boolean;
}

/** The stream's id is the tenant's. */
export const financialSettings: Aggregate<FinancialSettingsState, FinancialSettingsEvent> = {
  name: 'financial-settings',
  initialState: { ...defaultSettings, completed: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'OnboardingCompleted':
        return { ...state, completed: true };
      case 'FinancialSettingsChanged':
        return { ...state, ...data };
    }
  },
  events: {
    OnboardingCompleted: {
      schemaVersion: 1,
      // The trainer's free text is encrypted with the trainer's own key.
      personal: {
        person: (_data, tenantId) => tenantId,
        fields: ['tipo_atendimento', 'tipo_planos', 'formas_cobranca', 'objetivos'],
      },
    },
    FinancialSettingsChanged: { schemaVersion: 1 },
  },
};

export function decideChange(
  { completed: _, ...current }: FinancialSettingsState,
  { se_ainda, ...wanted }: SettingsChange,
): FinancialSettingsEvent[] {
  refuseChanged('As configurações', current, se_ainda);
  const changes = changedFields<FinancialSettings>(current, wanted);
  return Object.keys(changes).length === 0 ? [] : [{ type: 'FinancialSettingsChanged', data: changes }];
}

/**
 * The onboarding is answered once. It sets goals that are still unset: a sixth of the six-month goal as the monthly goal,
 * and the reserve's share of that as the reserve goal.
 */
export function decideComplete(
  state: FinancialSettingsState,
  answers: OnboardingData,
): FinancialSettingsEvent[] {
  if (state.completed) return [];
  const { formas_cobranca, objetivos, ...rest } = answers;
  const lists = { formas_cobranca: formas_cobranca.join(', '), objetivos: objetivos.join(', ') };
  const completed: FinancialSettingsEvent = { type: 'OnboardingCompleted', data: { ...rest, ...lists } };
  const half = answers.meta_faturamento_6meses;
  if (half === 0 || state.meta_mensal > 0) return [completed];
  const meta_mensal = Math.round(half / 6);
  const goals = {
    ...state,
    meta_mensal,
    meta_trimestral: Math.round(half / 2),
    meta_anual: half * 2,
    meta_reserva: Math.round((meta_mensal * state.reserva) / 100),
  };
  const { completed: _, ...wanted } = goals;
  return [completed, ...decideChange(state, wanted)];
}
