import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { NudgeReason } from './nudges.api.js';

interface About {
  nudge_id: string;
  student_id: string;
  motivo: NudgeReason;
  /** Calendar date. */
  dia: string;
}

export type NudgeEvent =
  /** The trainer sent it by WhatsApp. */
  { type: 'NudgeSent'; data: About } | { type: 'NudgeUnsent'; data: About };

/** Undefined until it is sent. */
export type NudgeState = (About & { sent: boolean }) | undefined;

/** A message to a student on the birthday, or when the student comes less; the stream's id follows from its data. */
export const nudge: Aggregate<NudgeState, NudgeEvent> = {
  name: 'nudge',
  initialState: undefined,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'NudgeSent':
        return { ...data, sent: true };
      case 'NudgeUnsent':
        return { ...data, sent: false };
    }
  },
  events: {
    NudgeSent: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    NudgeUnsent: { schemaVersion: 1, uses: 'nothing new' },
  },
};

export function decideSent(state: NudgeState, about: About): NudgeEvent[] {
  return state?.sent ? [] : [{ type: 'NudgeSent', data: about }];
}

export function decideUnsent(state: NudgeState): NudgeEvent[] {
  if (!state) throw new Problem('nudges.not_found');
  const { sent, ...about } = state;
  return sent ? [{ type: 'NudgeUnsent', data: about }] : [];
}
