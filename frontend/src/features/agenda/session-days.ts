import { plural } from '../../../../backend/platform/plural.api.js';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { SessionDay } from '../../../../backend/modules/agenda/session-days.api.js';
import type { Day } from '../../lib/dates.js';
import type { Waiting } from '../../lib/outbox.js';
import { inEffect } from '../../lib/pending-over-server.js';
import { daysOf } from './hours.js';
import { bookedSession, withPending } from './pending-session.js';

/** Number of sessions that the month names per day. */
export const MOST_NAMED = 2;

type Counted = Pick<Session, 'id' | 'inicio' | 'fim' | 'status' | 'student_nome'>;
type Named = SessionDay['primeiras'][number];

/** Days by date, with the changes in the outbox applied to loaded sessions. */
export function daysWithPending(
  days: readonly SessionDay[],
  writes: readonly Waiting[],
  known: readonly Session[],
  zone: string,
): ReadonlyMap<Day, SessionDay> {
  const byDay = new Map(days.map((day) => [day.dia, day]));
  const waiting = inEffect(writes);
  const count = (session: Counted, change: 1 | -1) => {
    const { id, inicio, status, student_nome } = session;
    for (const dia of daysOf(session, zone)) {
      const before = byDay.get(dia) ?? { dia, agendada: 0, feita: 0, cancelada: 0, primeiras: [] };
      const others = before.primeiras.filter((other) => other.id !== id);
      byDay.set(dia, {
        ...before,
        [status]: before[status] + change,
        primeiras:
          change === 1 ? firstOf([...others, { id, inicio, status, student_nome, outros: [] }]) : others,
      });
    }
  };
  const made = waiting.filter(({ makes, effect }) => makes && effect === 'book').map(bookedSession);
  const subjects = new Set(waiting.map(({ subject }) => subject));
  // Without groups: the server counts their hours, whose status does not follow from one session.
  const single = known.filter(({ id, grupo_id }) => grupo_id === null && subjects.has(id));
  const changed = new Map(single.map((session) => [session.id, session]));
  for (const session of changed.values()) count(session, -1);
  for (const session of [...changed.values(), ...made]) {
    const left = withPending(session, waiting);
    if (left) count(left, 1);
  }
  return byDay;
}

/** The first sessions in the server's order: by start, cancelled ones last. */
const firstOf = (sessions: readonly Named[]): Named[] =>
  sessions
    .toSorted(
      (one, other) =>
        Number(one.status === 'cancelada') - Number(other.status === 'cancelada') ||
        one.inicio.localeCompare(other.inicio),
    )
    .slice(0, MOST_NAMED);

export const totalOf = ({ agendada, feita, cancelada }: SessionDay): number => agendada + feita + cancelada;

/** The one status that a day shows: scheduled before done before cancelled. */
export const statusOf = ({ agendada, feita }: SessionDay): Session['status'] =>
  agendada > 0 ? 'agendada' : feita > 0 ? 'feita' : 'cancelada';

/** `3 agendadas, 1 realizada`; empty without sessions. */
export const wordsOf = (day: SessionDay | undefined): string =>
  day === undefined
    ? ''
    : [
        day.agendada && plural(day.agendada, 'agendada', 'agendadas'),
        day.feita && plural(day.feita, 'realizada', 'realizadas'),
        day.cancelada && plural(day.cancelada, 'cancelada', 'canceladas'),
      ]
        .filter(Boolean)
        .join(', ');
