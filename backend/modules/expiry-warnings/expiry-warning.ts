import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

interface About {
  warning_id: string;
  student_id: string;
  /** Last valid day of the credits, and the instant at which it ends. */
  expira_em: string;
  expires_at: string;
}

export type ExpiryWarningEvent =
  /** `por_email`: it is also mailed. */
  | { type: 'ExpiryWarningPrepared'; data: About & { por_email: boolean } }
  /** The trainer sent it by WhatsApp. */
  | { type: 'ExpiryWarningSent'; data: About }
  | { type: 'ExpiryWarningUnsent'; data: About };

type KnownWarning = About & { sent: boolean };

/** Undefined until it is prepared. */
export type ExpiryWarningState = KnownWarning | undefined;

/** The grant of the credits already refers to the student. */
const again = { schemaVersion: 1, uses: 'nothing new' } as const;

/** The announcement that credits of a student expire on a day; the stream's id is derived from both. */
export const expiryWarning: Aggregate<ExpiryWarningState, ExpiryWarningEvent> = {
  name: 'expiry-warning',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'ExpiryWarningPrepared') {
      const { por_email: _, ...about } = data;
      return { ...about, sent: false };
    }
    if (!state) return undefined;
    switch (type) {
      case 'ExpiryWarningSent':
        return { ...state, sent: true };
      case 'ExpiryWarningUnsent':
        return { ...state, sent: false };
    }
  },
  events: {
    ExpiryWarningPrepared: again,
    ExpiryWarningSent: again,
    ExpiryWarningUnsent: again,
  },
};

/** No event if it was already prepared. */
export function decidePrepare(
  state: ExpiryWarningState,
  prepared: About & { por_email: boolean },
): ExpiryWarningEvent[] {
  return state ? [] : [{ type: 'ExpiryWarningPrepared', data: prepared }];
}

function known(state: ExpiryWarningState): { about: About; sent: boolean } {
  if (!state) throw new Problem('expiry-warnings.not_found');
  const { sent, ...about } = state;
  return { about, sent };
}

export function decideSent(state: ExpiryWarningState): ExpiryWarningEvent[] {
  const { about, sent } = known(state);
  return sent ? [] : [{ type: 'ExpiryWarningSent', data: about }];
}

export function decideUnsent(state: ExpiryWarningState): ExpiryWarningEvent[] {
  const { about, sent } = known(state);
  return sent ? [{ type: 'ExpiryWarningUnsent', data: about }] : [];
}
