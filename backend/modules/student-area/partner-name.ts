import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** Whether students who share an hour may see this student's first name. */
export interface PartnerNameSet {
  type: 'PartnerNameSet';
  data: { student_id: string; mostra: boolean };
}

interface PartnerNameState {
  mostra: boolean;
}

/** The student's choice; the stream's id is the student's. */
export const partnerName: Aggregate<PartnerNameState, PartnerNameSet> = {
  name: 'partner-name',
  initialState: { mostra: false },
  evolve(_state, { type, data }) {
    switch (type) {
      case 'PartnerNameSet':
        return { mostra: data.mostra };
    }
  },
  // The access already refers to the student.
  events: { PartnerNameSet: { schemaVersion: 1, uses: 'nothing new' } },
};

export function decideShow(state: PartnerNameState, student_id: string, mostra: boolean): PartnerNameSet[] {
  return state.mostra === mostra ? [] : [{ type: 'PartnerNameSet', data: { student_id, mostra } }];
}
