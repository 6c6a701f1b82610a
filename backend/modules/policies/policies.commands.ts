import { defineCommand } from '../../platform/event-store/define-command.js';
import { existingLocation, location } from '../locations/location.js';
import { cancellationPolicy, decideSet } from './cancellation-policy.js';
import type { PolicyChange } from './policies.api.js';

export const SetCancellationPolicy = defineCommand(
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
