import type { Day } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Notice } from '../../ui/notice.js';
import { DayGrid, type GridActions } from './day-grid.js';
import type { Opens } from './use-opens-at.js';
import { sessionsOfDay } from './hours.js';
import type { ShownSession } from './pending-session.js';

interface WeekViewProps extends GridActions {
  days: readonly Day[];
  sessions: readonly ShownSession[];
  wide: boolean;
  opens: Opens;
}

/** The days of a week side by side: all of them on wide screens, three on the phone. */
export function WeekView({ days, sessions, wide, ...grid }: WeekViewProps) {
  const zone = useZone();
  const isEmpty = days.every((day) => sessionsOfDay(sessions, day, zone).length === 0);
  return (
    <>
      <DayGrid label="Semana" days={days} sessions={sessions} {...grid} />
      {isEmpty && (
        <Notice icon="calendar" title="Nenhuma sessão agendada">
          {wide && 'Toque em um dia para agendar.'}
        </Notice>
      )}
    </>
  );
}
