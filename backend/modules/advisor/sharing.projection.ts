import { rowProjection } from '../../platform/projections/projection.js';
import type { AdvisorSharing } from './sharing.api.js';
import type { AdvisorSharingSet } from './sharing.js';

/** A tenant's choice, under the tenant's id. */
export const advisorSharings = rowProjection<AdvisorSharing>({
  name: 'advisor-sharing',
  topic: 'advisor-sharing',
  table: 'advisor_sharing',
  events: ['AdvisorSharingSet'] satisfies AdvisorSharingSet['type'][],
  keys: ({ tenantId }) => [tenantId],
  evolve(_row, event) {
    const { type, data } = event as unknown as AdvisorSharingSet;
    switch (type) {
      case 'AdvisorSharingSet':
        return data;
    }
  },
});
