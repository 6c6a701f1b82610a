import type { Aggregate } from '../../platform/event-store/aggregate.js';

export type VisitEvent = {
  /** Somebody without an account booked a session; the session's own events say what became of it. */
  type: 'VisitorBooked';
  data: {
    visit_id: string;
    session_id: string;
    student_id: string;
    /** As the visitor wrote it. */
    nome: string | null;
    email: string | null;
    /** SHA-256 of the private link's token, in hexadecimal. */
    token_hash: string;
    /** Version of the text that the visitor agreed to. */
    consentimento: number;
    /** The student was made with the booking. */
    novo: boolean;
  };
};

/** Undefined until it is booked. */
export type VisitState = Pick<VisitEvent['data'], 'visit_id' | 'session_id' | 'student_id'> | undefined;

export const visit: Aggregate<VisitState, VisitEvent> = {
  name: 'visit',
  initialState: undefined,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'VisitorBooked': {
        const { visit_id, session_id, student_id } = data;
        return { visit_id, session_id, student_id };
      }
    }
  },
  events: {
    VisitorBooked: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['nome', 'email'] },
      uses: ({ student_id }) => ({ student: student_id }),
    },
  },
};
