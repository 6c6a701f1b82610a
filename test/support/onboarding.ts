import type { OnboardingData } from '../../backend/modules/settings/settings.api.js';
import type { Client } from './client.js';

const answers: OnboardingData = {
  alunos_ativos: 12,
  tipo_atendimento: 'presencial',
  ticket_medio_mensal: 40_000,
  formas_cobranca: ['pix'],
  emite_recibo: true,
  faturamento_mensal_medio: 500_000,
  tipo_planos: 'mensal',
  faz_desconto: false,
  tem_politica_cancelamento: true,
  objetivos: ['reserva'],
  meta_faturamento_6meses: 0,
};

/** Does a trainer's onboarding, so that it does not cover her pages. Sets no goal. */
export const settle = (api: Client) => api.post('/onboarding', answers);
