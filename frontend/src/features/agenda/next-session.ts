import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, formatDay, formatTime, timeOf, type Day } from '../../lib/dates.js';
import { byHour } from './shared-hours.js';
import { isLocal, type Waiting } from '../../lib/outbox.js';
import { withPending, type ShownSession } from './pending-session.js';

/**
 * The scheduled session that is running at an instant, or else the next one: from the shown week, or else from the server's
 * upcoming sessions.
 */
export function nextSession(
  week: readonly ShownSession[],
  upcoming: readonly Session[],
  writes: readonly Waiting[],
  now: string,
): ShownSession | undefined {
  const later = byHour(upcoming.flatMap((session) => withPending(session, writes) ?? []));
  return [...week, ...later].find(({ status, fim }) => status === 'agendada' && fim > now);
}

/** Spec 1, section 2. */
const LISTED = 3;

/** The next scheduled sessions of days after today: from the shown week, then from the server's upcoming sessions. */
export function laterSessions(
  week: readonly ShownSession[],
  upcoming: readonly Session[],
  { today, zone, without }: { today: Day; zone: string; without: string | undefined },
): ShownSession[] {
  const shown = new Set([...week.map(({ id }) => id), without]);
  return [...week, ...byHour(upcoming).filter(({ id }) => !shown.has(id))]
    .filter(
      ({ id, status, inicio }) => status === 'agendada' && id !== without && dayOf(inicio, zone) > today,
    )
    .slice(0, LISTED);
}

/** Whether this is a visit that the trainer has not answered yet. */
export const isUnanswered = ({ id, status, confirmado, pendente }: ShownSession): boolean =>
  status === 'agendada' && !confirmado && !pendente && !isLocal(id);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How far away a session is: `agora, até 11:00`, `em 25 min`, `em 1 h 20 min`, `amanhã`, `em 3 dias`; from a week on its date. */
export function timeUntil({ inicio, fim }: Session, now: string, zone: string): string {
  if (inicio <= now) return `agora, até ${formatTime(timeOf(fim, zone))}`;
  const [day, today] = [dayOf(inicio, zone), dayOf(now, zone)];
  const days = (Date.parse(day) - Date.parse(today)) / DAY_MS;
  if (days > 0) return days > 1 && days < 7 ? `em ${days} dias` : formatDay(day, today);
  const minutes = Math.ceil((Date.parse(inicio) - Date.parse(now)) / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return ['em', hours > 0 && `${hours}\u00a0h`, rest > 0 && `${rest}\u00a0min`]
    .filter(Boolean)
    .join('\u00a0');
}
