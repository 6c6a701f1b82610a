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

/** "até 24 h antes sem custo; depois, desconta 1 crédito e cobra taxa de 50%" */
export function termsInWords({ queima_credito, taxa_percent, cancel_limite_horas }: PolicyTerms): string {
  const each = [queima_credito && 'desconta 1 crédito', taxa_percent > 0 && `cobra taxa de ${taxa_percent}%`];
  const after = each.filter(Boolean).join(' e ');
  return after === '' ? 'sem custo' : `até ${cancel_limite_horas} h antes sem custo; depois, ${after}`;
}
