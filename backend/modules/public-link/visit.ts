import type { Aggregate } from '../../platform/event-store/aggregate.js';
import type { Reassigned } from '../students/reassigned.js';

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
        /** The student was registered by the booking, or by the wait that it ends. */
        novo: boolean;
        /** When the booking lapses unless it is confirmed; earlier bookings do not lapse. */
        vence_em?: string;
      };
    }
  /** The visitor moved it, and the trainer has to confirm it again. */
  | { type: 'VisitMoved'; data: About & { vence_em: string } }
  /** The trainer chose whose it is, of several with the phone; `de` is whom the booking had registered. */
  | { type: 'VisitAssigned'; data: About & { de: string; nome: string | null; email: string | null } }
  /** What was asked first is paid, so the trainer has the usual time to confirm it. `voltou`: it had lapsed, and is booked again. */
  | { type: 'VisitPaid'; data: About & { vence_em: string; voltou: boolean } }
  /** Nobody confirmed it in time, or nobody paid; the session is cancelled with it. */
  | { type: 'VisitLapsed'; data: About & { sem_pagamento?: true } }
  /** The trainer declined; the session is cancelled with it. `mensagem`: the trainer's message to the visitor. */
  | { type: 'VisitDeclined'; data: About & { mensagem: string | null } }
  | { type: 'VisitReassigned'; data: About & Reassigned };

/** Undefined before the booking. */
export type VisitState = (About & { vence_em: string | null; paga: boolean; venceu: boolean }) | undefined;

export const visit: Aggregate<VisitState, VisitEvent> = {
  name: 'visit',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'VisitorBooked': {
        const { visit_id, session_id, student_id, vence_em = null } = data;
        return { visit_id, session_id, student_id, vence_em, paga: false, venceu: false };
      }
      case 'VisitPaid':
        return { ...state!, vence_em: data.vence_em, paga: true, venceu: false };
      case 'VisitMoved':
        return { ...state!, vence_em: data.vence_em };
      case 'VisitAssigned':
      case 'VisitReassigned':
        return { ...state!, student_id: data.student_id };
      case 'VisitDeclined':
        return { ...state!, vence_em: null };
      case 'VisitLapsed':
        return { ...state!, vence_em: null, venceu: true };
    }
  },
  events: {
    VisitorBooked: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['nome', 'email'] },
      uses: ({ student_id }) => ({ student: student_id }),
    },
    VisitMoved: { schemaVersion: 1, uses: 'nothing new' },
    VisitAssigned: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['nome', 'email'] },
      uses: ({ student_id }) => ({ student: student_id }),
    },
    VisitPaid: { schemaVersion: 1, uses: 'nothing new' },
    VisitLapsed: { schemaVersion: 1, uses: 'nothing new' },
    VisitReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    VisitDeclined: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['mensagem'] },
      uses: 'nothing new',
    },
  },
};
