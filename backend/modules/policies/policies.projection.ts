import { rowProjection } from '../../platform/projections/projection.js';
import { cancellationPolicy, type CancellationPolicySet, type PolicyState } from './cancellation-policy.js';

/** Policies by the id of their location; locations with the default policy have no row. */
export const policies = rowProjection<PolicyState>({
  name: 'policies',
  topic: 'policies',
  table: 'policies',
  events: ['CancellationPolicySet'] satisfies CancellationPolicySet['type'][],
  keys: ({ data }) => [data.location_id as string],
  evolve: (_row, { type, data }) =>
    cancellationPolicy.evolve(cancellationPolicy.initialState, { type, data } as CancellationPolicySet),
});
