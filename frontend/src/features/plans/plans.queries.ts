import type { NewPlan, Plan, PlanChanges } from '../../../../backend/modules/plans/plans.api.js';
import { records } from '../../lib/records.js';

export const plans = records<Plan, NewPlan, PlanChanges>({
  topic: 'plans',
  address: '/planos',
  one: 'plano',
  many: 'planos',
  texts: {
    created: 'Plano criado',
    updated: 'Plano atualizado',
    removed: 'Plano removido',
    notLoaded: 'Erro ao carregar planos',
  },
});
