import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { cancellationPolicy } from './cancellation-policy.js';
import { SetCancellationPolicy } from './policies.commands.js';
import { PoliciesController } from './policies.controller.js';
import { policyHistory } from './policies.history.js';
import { policies } from './policies.projection.js';
import { ListPolicies } from './policies.queries.js';

@Module({
  controllers: [PoliciesController],
  providers: [SetCancellationPolicy.Handler, ListPolicies.Handler],
})
export class PoliciesModule {
  static readonly feature: Feature = {
    aggregates: [cancellationPolicy],
    projections: [policies],
    history: policyHistory,
  };
}
