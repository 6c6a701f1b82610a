import { stateProjection } from '../../platform/projections/projection.js';
import { cancellationPolicy, type PolicyState } from './cancellation-policy.js';

/** Policies by the id of their location; locations with the default policy have no row. */
export const policies = stateProjection(cancellationPolicy, {
  name: 'policies',
  topic: 'policies',
  table: 'policies',
  evolve: (_row: PolicyState | undefined, event) =>
    cancellationPolicy.evolve(cancellationPolicy.initialState, event),
});
