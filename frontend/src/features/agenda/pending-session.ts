import type {
  NewSession,
  Session,
  SessionCancellation,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDate, formatTime, timeOf, type Day, type Time } from '../../lib/dates.js';
import type { Waiting } from '../../lib/outbox.js';

/** A session as the page shows it. */
export type ShownSession = Session & {
  /** What it shows was not sent yet. */
  pendente?: boolean;
};

/** What a session is called where it is spoken of later. */
export const sessionTitle = (
  { student_nome, inicio }: Pick<Session, 'student_nome' | 'inicio'>,
  zone: string,
): string =>
  `A sessão de ${student_nome ?? 'aluno esquecido'}, ${formatDate(dayOf(inicio, zone))}, ${formatTime(timeOf(inicio, zone))},`;

/** A session with what waits to be sent done to it; null where it is deleted. What is held changes nothing. */
export function withPending(session: ShownSession, writes: readonly Waiting[]): ShownSession | null {
  const last = writes.findLast(({ subject, makes, held }) => subject === session.id && !makes && !held);
  switch (last?.effect) {
    case 'complete':
      return { ...session, status: 'feita', pendente: true };
    case 'cancel': {
      const { motivo } = last.body as SessionCancellation;
      return { ...session, status: 'cancelada', motivo, pendente: true };
    }
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

/** A session that was booked without a network. */
export function bookedSession({ subject, body, shows }: Waiting): ShownSession {
  const { student_id, location_id, inicio, fim, observacoes } = body as NewSession;
  return {
    id: subject,
    student_id,
    student_nome: shows?.student_nome ?? null,
    location_id: location_id ?? null,
    location_nome: shows?.location_nome ?? null,
    inicio,
    fim,
    observacoes: observacoes ?? null,
    status: 'agendada',
    ...{ confirmado: false, motivo: null, usou_credito: false, sem_credito: false, valor: null, taxa: 0 },
    pendente: true,
  };
}

/** The sessions between two instants as they will be once what waits has been sent, by start. */
export function sessionsWithPending(
  sessions: readonly Session[],
  writes: readonly Waiting[],
  [from, to]: readonly [string, string],
): ShownSession[] {
  const booked = writes
    .filter(({ effect, held }) => effect === 'book' && !held)
    .map(bookedSession)
    .filter(({ inicio, fim }) => fim > from && inicio < to);
  return [...sessions, ...booked]
    .flatMap((session) => withPending(session, writes) ?? [])
    .toSorted((one, other) => one.inicio.localeCompare(other.inicio));
}

/** Name under which a booking of a day is kept until it is sent; `time` where a tap in the calendar asked for it. */
export const bookingDraft = (day: Day, time: Time | null): string => `agendamento.${day}.${time ?? 'livre'}`;

/** The form of a booking that the server did not take, with what it held. */
export function editBooking({ body }: Waiting, zone: string) {
  const { student_id, location_id, inicio, fim, observacoes } = body as NewSession;
  const data = dayOf(inicio, zone);
  return {
    to: `/agenda?${new URLSearchParams({ dia: data, novo: 'agendamento', em: data }).toString()}`,
    draft: bookingDraft(data, null),
    values: {
      ...{ student_id, data, inicio: timeOf(inicio, zone), fim: timeOf(fim, zone) },
      ...{ location_id: location_id ?? null, observacoes: observacoes ?? '' },
    },
  };
}
