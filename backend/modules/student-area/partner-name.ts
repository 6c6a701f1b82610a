import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** Whether those who share an hour with the student read the first name. */
export interface PartnerNameSet {
  type: 'PartnerNameSet';
  data: { student_id: string; mostra: boolean };
}

interface PartnerNameState {
  mostra: boolean;
}

/** What a student agreed to; the stream's id is the student's. */
export const partnerName: Aggregate<PartnerNameState, PartnerNameSet> = {
  name: 'partner-name',
  initialState: { mostra: false },
  evolve(_state, { type, data }) {
    switch (type) {
      case 'PartnerNameSet':
        return { mostra: data.mostra };
    }
  },
  // The student is known from what gave access.
  events: { PartnerNameSet: { schemaVersion: 1, uses: 'nothing new' } },
};

export function decideShow(state: PartnerNameState, student_id: string, mostra: boolean): PartnerNameSet[] {
  return state.mostra === mostra ? [] : [{ type: 'PartnerNameSet', data: { student_id, mostra } }];
}
