import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { policiesApi, type PolicyChange } from './policies.api.js';
import { cancellationPolicy, type CancellationPolicySet, decideSet } from './cancellation-policy.js';
import { ListPolicies } from './policies.queries.js';
import { termsInWords } from './policy-words.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { existingLocation, location } from '../locations/location.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';

type Data = CancellationPolicySet['data'];

const policyHistory: HistoryWords<CancellationPolicySet> = {
  CancellationPolicySet: {
    subjects: ({ location_id }: Data) => [`policy:${location_id}`, `location:${location_id}`],
    words: (data: Data) => `Definiu a política de cancelamento: ${termsInWords(data)}`,
  },
};

const SetCancellationPolicy = defineCommand(
  'SetCancellationPolicy',
  async (tx, locationId: string, wanted: PolicyChange) => {
    const [place, policy] = await Promise.all([
      tx.load(location, locationId),
      tx.load(cancellationPolicy, locationId),
    ]);
    existingLocation(place);
    tx.append(cancellationPolicy, locationId, decideSet(policy, locationId, wanted));
    return { id: locationId };
  },
);

@Module(serve(policiesApi, { list: ListPolicies, set: SetCancellationPolicy }))
export class PoliciesModule {
  static readonly feature: Feature = {
    aggregates: [cancellationPolicy],
    // By the id of their location; locations with the default policy have no row.
    projections: [
      stateProjection(cancellationPolicy, { name: 'policies', topic: 'policies', table: 'policies' }),
    ],
    history: policyHistory,
    ownData: {
      trainer: {
        politicas: `select p.id as location_id, l.nome as local, p.cancel_limite_horas, p.taxa_percent, p.queima_credito
          from policies p left join locations l on l.tenant_id = p.tenant_id and l.id = p.id order by p.id`,
      },
    },
  };
}
