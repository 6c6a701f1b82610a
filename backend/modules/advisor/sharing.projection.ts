import { stateProjection } from '../../platform/projections/projection.js';
import { advisorSharing } from './sharing.js';
import type { AdvisorSharing } from './sharing.api.js';

/** A tenant's choice, under the tenant's id. */
export const advisorSharings = stateProjection(advisorSharing, {
  name: 'advisor-sharing',
  topic: 'advisor-sharing',
  table: 'advisor_sharing',
  evolve(_row: AdvisorSharing | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'AdvisorSharingSet':
        return data;
    }
  },
});
