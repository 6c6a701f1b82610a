import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { Waiting } from '../../lib/outbox.js';

/** A session as the page shows it. */
export type ShownSession = Session & {
  /** What it shows was not sent yet. */
  pendente?: boolean;
};

/** A session with what waits to be sent done to it; null where it is deleted. Refused writes change nothing. */
export function withPending(session: Session, writes: readonly Waiting[]): ShownSession | null {
  const last = writes.findLast(({ subject, refused }) => subject === session.id && refused === undefined);
  switch (last?.effect) {
    case 'complete':
      return { ...session, status: 'feita', pendente: true };
    case 'reopen':
      return {
        ...session,
        status: 'agendada',
        motivo: null,
        usou_credito: false,
        sem_credito: false,
        pendente: true,
      };
    case 'delete':
      return null;
    default:
      return session;
  }
}
