import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

interface About {
  reminder_id: string;
  session_id: string;
  student_id: string;
  /** The announced start of the session. */
  inicio: string;
}

export type ReminderEvent =
  /** `token_hash` is the SHA-256 of the link's token, in hexadecimal. `por_email`: it is also mailed. */
  | { type: 'ReminderPrepared'; data: About & { token_hash: string; por_email: boolean } }
  /** The trainer sent it by WhatsApp. */
  | { type: 'ReminderSent'; data: About }
  | { type: 'ReminderUnsent'; data: About }
  /** The student confirmed by its link. */
  | { type: 'ReminderConfirmed'; data: About };

interface KnownReminder extends About {
  sent: boolean;
  confirmed: boolean;
}

/** Undefined until it is prepared. */
export type ReminderState = KnownReminder | undefined;

/** The session's booking already refers to the student. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;

/** One announcement of one session to one student; the stream's id is derived from these and the session's start. */
export const reminder: Aggregate<ReminderState, ReminderEvent> = {
  name: 'reminder',
  initialState: undefined,
  evolve(state, { type, data }) {
    const { reminder_id, session_id, student_id, inicio } = data;
    if (type === 'ReminderPrepared')
      return { reminder_id, session_id, student_id, inicio, sent: false, confirmed: false };
    if (!state) return undefined;
    switch (type) {
      case 'ReminderSent':
        return { ...state, sent: true };
      case 'ReminderUnsent':
        return { ...state, sent: false };
      case 'ReminderConfirmed':
        return { ...state, confirmed: true };
    }
  },
  events: {
    ReminderPrepared: again,
    ReminderSent: again,
    ReminderUnsent: again,
    ReminderConfirmed: again,
  },
};

const about = ({ reminder_id, session_id, student_id, inicio }: KnownReminder): About => ({
  reminder_id,
  session_id,
  student_id,
  inicio,
});

function existing(state: ReminderState): KnownReminder {
  if (!state) throw new Problem('reminders.not_found');
  return state;
}

/** The fields of a session's current state that a reminder depends on. */
interface Announced {
  status: string;
  deleted: boolean;
  student_id: string;
  inicio: string;
}

/** Whether the session is still scheduled as it was announced. */
const stands = (
  session: Announced | undefined,
  { student_id, inicio }: Omit<About, 'reminder_id'>,
): boolean =>
  session !== undefined &&
  !session.deleted &&
  session.status === 'agendada' &&
  session.student_id === student_id &&
  session.inicio === inicio;

/** No event if it was already prepared, or the session has changed or begun since it was found. */
export function decidePrepare(
  state: ReminderState,
  session: Announced | undefined,
  prepared: Extract<ReminderEvent, { type: 'ReminderPrepared' }>['data'],
  now: Date,
): ReminderEvent[] {
  if (state || !stands(session, prepared) || Date.parse(prepared.inicio) <= now.getTime()) return [];
  return [{ type: 'ReminderPrepared', data: prepared }];
}

export function decideSent(state: ReminderState): ReminderEvent[] {
  const known = existing(state);
  return known.sent ? [] : [{ type: 'ReminderSent', data: about(known) }];
}

export function decideUnsent(state: ReminderState): ReminderEvent[] {
  const known = existing(state);
  return known.sent ? [{ type: 'ReminderUnsent', data: about(known) }] : [];
}

/** No event if it was already confirmed. */
export function decideConfirm(
  state: ReminderState,
  session: Announced | undefined,
  now: Date,
): ReminderEvent[] {
  const known = existing(state);
  if (!stands(session, known)) throw new Problem('reminders.session_changed');
  if (Date.parse(known.inicio) <= now.getTime()) throw new Problem('reminders.over');
  return known.confirmed ? [] : [{ type: 'ReminderConfirmed', data: about(known) }];
}
