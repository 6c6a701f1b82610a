import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NudgeReason } from './nudges.api.js';

interface About {
  nudge_id: string;
  student_id: string;
  motivo: NudgeReason;
  /** Calendar date. */
  dia: string;
  /** Of a class. */
  session_id?: string;
}

export type NudgeEvent =
  /** The trainer sent it by WhatsApp. */
  | { type: 'NudgeSent'; data: About }
  /** The trainer does not want to send it. */
  | { type: 'NudgeDismissed'; data: About }
  /** Either is undone: it is to be sent again. */
  | { type: 'NudgeUnsent'; data: About };

/** Undefined until it is sent or dismissed. */
export type NudgeState = (About & { done: 'sent' | 'dismissed' | null }) | undefined;

/** A message to a student, for one of the reasons; the stream's id follows from its data. */
export const nudge: Aggregate<NudgeState, NudgeEvent> = {
  name: 'nudge',
  initialState: undefined,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'NudgeSent':
        return { ...data, done: 'sent' };
      case 'NudgeDismissed':
        return { ...data, done: 'dismissed' };
      case 'NudgeUnsent':
        return { ...data, done: null };
    }
  },
  events: {
    NudgeSent: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    NudgeDismissed: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    NudgeUnsent: { schemaVersion: 1, uses: 'nothing new' },
  },
};

export function decideSent(state: NudgeState, about: About): NudgeEvent[] {
  return state?.done === 'sent' ? [] : [{ type: 'NudgeSent', data: about }];
}

/** One that was sent stays sent. */
export function decideDismiss(state: NudgeState, about: About): NudgeEvent[] {
  return state?.done ? [] : [{ type: 'NudgeDismissed', data: about }];
}

export function decideUnsent(state: NudgeState): NudgeEvent[] {
  if (!state) throw new Problem('nudges.not_found');
  const { done, ...about } = state;
  return done ? [{ type: 'NudgeUnsent', data: about }] : [];
}
