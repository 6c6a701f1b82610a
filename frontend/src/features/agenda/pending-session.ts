import type {
  NewSession,
  Session,
  SessionCancellation,
  SessionChanges,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDate, formatTime, timeOf, type Day } from '../../lib/dates.js';
import type { Waiting } from '../../lib/outbox.js';
import { sessionAddress } from '../../lib/session-address.js';
import { reaching } from './shared-hours.js';
import { changedBy, pendingOver } from '../../lib/pending-over-server.js';

/** A session for display. */
export type ShownSession = Session & {
  /** A change of it is still in the outbox. */
  pendente?: boolean;
  /** The sessions of a shared hour, if this one stands for all of them. */
  membros?: readonly ShownSession[];
};

/** Start and end of a session. */
export type SessionTimes = Pick<Session, 'inicio' | 'fim'>;

/** A session's title for messages. */
export const sessionTitle = (
  { student_nome, inicio }: Pick<Session, 'student_nome' | 'inicio'>,
  zone: string,
): string =>
  `A sessão de ${student_nome ?? 'aluno apagado'}, ${formatDate(dayOf(inicio, zone))}, ${formatTime(timeOf(inicio, zone))},`;

export const SESSION_EDIT = 'edit-session';

const motivoOf = (body: unknown) => (body as Partial<SessionCancellation>).motivo ?? 'personal';

const timesOf = ({ inicio, fim }: SessionTimes): SessionTimes => ({ inicio, fim });

function changed(session: ShownSession, { effect, body, shows, sending }: Waiting): ShownSession | null {
  const pendente = !sending;
  switch (effect) {
    case 'complete':
      return { ...session, status: 'feita', pendente };
    case 'cancel':
      // Of a group, it is the trainer's.
      return { ...session, status: 'cancelada', motivo: motivoOf(body), pendente };
    case 'reopen':
      return {
        ...session,
        status: 'agendada',
        motivo: null,
        usou_credito: false,
        sem_credito: false,
        pendente,
      };
    case 'move':
      return { ...session, ...timesOf(body as SessionTimes), pendente };
    case SESSION_EDIT: {
      const { permitir_conflito: _, se_ainda: __, cancelamento, ...fields } = body as SessionChanges;
      const cancelled = cancelamento && { status: 'cancelada' as const, motivo: cancelamento.motivo };
      return { ...session, ...fields, ...cancelled, ...shows, pendente };
    }
    case 'delete':
      return null;
    default:
      return session;
  }
}

/** A session with changes from the outbox applied; null if one deletes it. */
export const withPending = (session: ShownSession, writes: readonly Waiting[]): ShownSession | null =>
  changedBy(session, writes, changed);

/** A session whose booking is in the outbox. */
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
    serie_id: null,
    ocorrencia: null,
    grupo_id: null,
    turma: null,
    servico: null,
    confirmado: false,
    motivo: null,
    usou_credito: false,
    sem_credito: false,
    valor: null,
    taxa: 0,
    pendente: true,
  };
}

/** The sessions between two instants, by start, with the changes in the outbox applied. */
export function sessionsWithPending(
  sessions: readonly Session[],
  writes: readonly Waiting[],
  [from, to]: readonly [string, string],
): ShownSession[] {
  return pendingOver<ShownSession>(sessions, reaching(writes, sessions), {
    makes: (write) => (write.effect === 'book' ? bookedSession(write) : null),
    changes: changed,
  })
    .filter(({ inicio, fim }) => fim > from && inicio < to)
    .toSorted((one, other) => one.inicio.localeCompare(other.inicio));
}

/** Draft key of a booking; `of`: the time that was tapped in the calendar, or a student. */
export const bookingDraft = (day: Day, of: string | null): string => `agendamento.${day}.${of ?? 'livre'}`;

export const moveDraft = (id: string): string => `remarcar.${id}`;

export const sessionDraft = (id: string): string => `sessao.${id}`;

/** Form values of an edit that the server refused. */
export function editSession({ subject, body, shows }: Waiting, zone: string) {
  const { inicio, fim, student_id, location_id, observacoes, status } = body as SessionChanges;
  const times = {
    ...(inicio && { data: dayOf(inicio, zone), inicio: timeOf(inicio, zone) }),
    ...(fim && { fim: timeOf(fim, zone) }),
  };
  const others = { student_id, location_id, status, observacoes: observacoes === null ? '' : observacoes };
  return {
    to: sessionAddress({ id: subject, inicio: shows?.inicio ?? inicio ?? '' }, zone),
    draft: sessionDraft(subject),
    values: {
      ...times,
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    },
  };
}

/** Form values of a booking that the server refused. */
export function editBooking({ body }: Waiting, zone: string) {
  const { student_id, location_id, service_id, inicio, fim, observacoes } = body as NewSession;
  const data = dayOf(inicio, zone);
  return {
    to: `/agenda?${new URLSearchParams({ dia: data, novo: 'agendamento', em: data }).toString()}`,
    draft: bookingDraft(data, null),
    values: {
      student_ids: [student_id],
      data,
      inicio: timeOf(inicio, zone),
      fim: timeOf(fim, zone),
      location_id: location_id ?? null,
      service_id: service_id ?? null,
      observacoes: observacoes ?? '',
    },
  };
}
