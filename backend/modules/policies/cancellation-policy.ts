import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { defaultPolicy, type PolicyChange, type PolicyTerms } from './policies.api.js';

/** The stream's id is the location's. */
export interface CancellationPolicySet {
  type: 'CancellationPolicySet';
  data: { location_id: string } & PolicyTerms;
}

/** The default policy until the location gets its own. */
export interface PolicyState extends PolicyTerms {
  own: boolean;
}

export const cancellationPolicy: Aggregate<PolicyState, CancellationPolicySet> = {
  name: 'cancellation-policy',
  initialState: { ...defaultPolicy, own: false },
  evolve(_state, { type, data: { cancel_limite_horas, taxa_percent, queima_credito } }) {
    switch (type) {
      case 'CancellationPolicySet':
        return { cancel_limite_horas, taxa_percent, queima_credito, own: true };
    }
  },
  // A location goes together with its policy.
  events: { CancellationPolicySet: { schemaVersion: 1, uses: 'nothing new' } },
};

export function decideSet(
  state: PolicyState,
  location_id: string,
  { se_ainda, ...terms }: PolicyChange,
): CancellationPolicySet[] {
  refuseChanged('A política', state, se_ainda);
  const same = state.own && Object.keys(changedFields<PolicyTerms>(state, terms)).length === 0;
  return same ? [] : [{ type: 'CancellationPolicySet', data: { location_id, ...terms } }];
}
