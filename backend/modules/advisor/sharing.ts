import { type Aggregate, refuseChanged } from '../../platform/event-store/aggregate.js';
import { type AdvisorSharing, defaultSharing, type SharingChange } from './sharing.api.js';

export interface AdvisorSharingSet {
  type: 'AdvisorSharingSet';
  data: AdvisorSharing;
}

/** What may be sent to the language model; the stream's id is the tenant's. */
export const advisorSharing: Aggregate<AdvisorSharing, AdvisorSharingSet> = {
  name: 'advisor-sharing',
  initialState: defaultSharing,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'AdvisorSharingSet':
        return data;
    }
  },
  events: { AdvisorSharingSet: { schemaVersion: 1 } },
};

export function decideShare(
  state: AdvisorSharing,
  { se_ainda, ...wanted }: SharingChange,
): AdvisorSharingSet[] {
  refuseChanged('As configurações', state, se_ainda);
  return state.envio === wanted.envio ? [] : [{ type: 'AdvisorSharingSet', data: wanted }];
}
