import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { plan } from './plan.js';
import { planErrors } from './plans.api.js';
import { CreatePlan, RemovePlan, RestorePlan, UpdatePlan } from './plans.commands.js';
import { PlansController } from './plans.controller.js';
import { planHistory } from './plans.history.js';
import { plans } from './plans.projection.js';
import { GetPlan, ListPlans } from './plans.queries.js';

@Module({
  controllers: [PlansController],
  providers: [
    CreatePlan.Handler,
    UpdatePlan.Handler,
    RemovePlan.Handler,
    RestorePlan.Handler,
    ListPlans.Handler,
    GetPlan.Handler,
  ],
})
export class PlansModule {
  static readonly feature: Feature = {
    aggregates: [plan],
    projections: [plans],
    history: planHistory,
    errors: planErrors,
  };
}
