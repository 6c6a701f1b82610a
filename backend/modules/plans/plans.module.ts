import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { plan } from './plan.js';
import { plansApi, planErrors } from './plans.api.js';
import { CreatePlan, UpdatePlan, RemovePlan, RestorePlan } from './plans.commands.js';
import { planHistory } from './plans.history.js';
import { plans } from './plans.projection.js';
import { ListPlans, GetPlan } from './plans.queries.js';

@Module(
  serve(plansApi, {
    list: ListPlans,
    create: CreatePlan,
    get: GetPlan,
    update: UpdatePlan,
    remove: RemovePlan,
    restore: RestorePlan,
  }),
)
export class PlansModule {
  static readonly feature: Feature = {
    aggregates: [plan],
    projections: [plans],
    history: planHistory,
    ownData: {
      trainer: {
        planos: `select id, nome, descricao, valor, creditos, validade_dias, tipo, is_active, status = 'removed' as excluido, criado_em
          from plans order by criado_em, id`,
      },
    },
    errors: planErrors,
  };
}
