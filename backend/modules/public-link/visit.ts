import type { Aggregate } from '../../platform/event-store/aggregate.js';

interface About {
  visit_id: string;
  session_id: string;
  student_id: string;
}

export type VisitEvent =
  /** A visitor without an account booked a session; later changes are events of the session. */
  | {
      type: 'VisitorBooked';
      data: About & {
        /** As the visitor typed it. */
        nome: string | null;
        email: string | null;
        /** SHA-256 of the private link's token, in hexadecimal. */
        token_hash: string;
        /** Version of the text that the visitor agreed to. */
        consentimento: number;
        /** The student was registered by the booking. */
        novo: boolean;
      };
    }
  /** The trainer declined; the session is cancelled with it. `mensagem`: the trainer's message to the visitor. */
  | { type: 'VisitDeclined'; data: About & { mensagem: string | null } };

/** Undefined before the booking. */
export type VisitState = About | undefined;

export const visit: Aggregate<VisitState, VisitEvent> = {
  name: 'visit',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'VisitorBooked': {
        const { visit_id, session_id, student_id } = data;
        return { visit_id, session_id, student_id };
      }
      case 'VisitDeclined':
        return state;
    }
  },
  events: {
    VisitorBooked: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['nome', 'email'] },
      uses: ({ student_id }) => ({ student: student_id }),
    },
    VisitDeclined: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['mensagem'] },
      uses: 'nothing new',
    },
  },
};
