import { type Aggregate, refuseChanged } from '../../platform/event-store/aggregate.js';
import type { PayerChoice } from './payers.api.js';

export interface StudentPayerEvent {
  type: 'StudentPayerSet';
  data: {
    student_id: string;
    /** Null: the student pays. */
    payer_id: string | null;
    antes: string | null;
    /** The merging by which the student has the payer of the other record. */
    juncao_id: string | null;
  };
}

export interface StudentPayerState {
  payer_id: string | null;
  juncao_id: string | null;
}

/** Who pays for a student, who is one at most. The stream's id is the student's. */
export const studentPayer: Aggregate<StudentPayerState, StudentPayerEvent> = {
  name: 'student-payer',
  initialState: { payer_id: null, juncao_id: null },
  evolve(_state, { type, data }) {
    switch (type) {
      case 'StudentPayerSet':
        return { payer_id: data.payer_id, juncao_id: data.juncao_id };
    }
  },
  events: {
    StudentPayerSet: {
      schemaVersion: 1,
      usesNow: ({ student_id, payer_id }) => ({ student: payer_id && student_id, payer: payer_id }),
    },
  },
};

export function decideChoose(
  state: StudentPayerState,
  student_id: string,
  { payer_id, se_ainda }: PayerChoice,
  juncao_id: string | null = null,
): StudentPayerEvent[] {
  const { payer_id: antes } = state;
  refuseChanged('O pagador', { payer_id: antes }, se_ainda);
  return antes === payer_id
    ? []
    : [{ type: 'StudentPayerSet', data: { student_id, payer_id, antes, juncao_id } }];
}
