import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { policiesApi } from './policies.api.js';
import { cancellationPolicy } from './cancellation-policy.js';
import { SetCancellationPolicy } from './policies.commands.js';
import { policyHistory } from './policies.history.js';
import { policies } from './policies.projection.js';
import { ListPolicies } from './policies.queries.js';

@Module(serve(policiesApi, { list: ListPolicies, set: SetCancellationPolicy }))
export class PoliciesModule {
  static readonly feature: Feature = {
    aggregates: [cancellationPolicy],
    projections: [policies],
    history: policyHistory,
    ownData: {
      trainer: {
        politicas: `select p.id as location_id, l.nome as local, p.cancel_limite_horas, p.taxa_percent, p.queima_credito
          from policies p left join locations l on l.tenant_id = p.tenant_id and l.id = p.id order by p.id`,
      },
    },
  };
}
