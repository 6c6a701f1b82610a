import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { minutesOf, type Day } from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { DayGrid, type GridActions } from './day-grid.js';
import classes from './day-view.module.css';
import { byHour, hourLabel, sessionsOfDay } from './hours.js';
import type { ShownSession } from './pending-session.js';
import { SessionBlock } from './session-block.js';

interface DayViewProps extends GridActions {
  day: Day;
  sessions: readonly ShownSession[];
}

/** A day: by its minutes where there is room, as a list by its hours on the phone. */
export function DayView(props: DayViewProps) {
  const wide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  return wide ? <OneDayGrid {...props} /> : <DayList {...props} />;
}

function OneDayGrid({ day, sessions, ...actions }: DayViewProps) {
  const zone = useZone();
  const days = useMemo(() => [day], [day]);
  return (
    <>
      <DayGrid label="Dia" days={days} sessions={sessions} {...actions} />
      {sessionsOfDay(sessions, day, zone).length === 0 && <NoSession onBook={() => actions.onBook(day)} />}
    </>
  );
}

function NoSession({ onBook }: { onBook: () => void }) {
  return (
    <Notice
      icon="calendar"
      title="Nenhuma sessão agendada"
      action={
        <Button variant="light" onClick={onBook}>
          Agendar neste dia
        </Button>
      }
    />
  );
}

/** The hours with sessions, and today also the current one. */
function DayList({ day, sessions, onOpen, onBook }: DayViewProps) {
  const zone = useZone();
  const today = useToday();
  const now = minutesOf(useTimeNow());
  const current = day === today ? Math.floor(now / 60) : undefined;
  const items = sessionsOfDay(sessions, day, zone);
  const hours = byHour(items, zone, current);

  return (
    <>
      {hours.length > 0 && (
        <ol className={classes.hours}>
          {hours.map(([hour, starting]) => (
            <li key={hour} className={classes.hour} data-now={hour === current || undefined}>
              <span className={classes.label}>{hourLabel(hour)}</span>
              <div className={classes.sessions}>
                {starting.map((session) => (
                  <SessionBlock key={session.id} session={session} onOpen={() => onOpen(session.id)} />
                ))}
                {starting.length === 0 && (
                  <button type="button" className={classes.free} onClick={() => onBook(day, hourLabel(hour))}>
                    <Icon name="clock" size={16} /> Livre agora
                  </button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      {items.length === 0 && <NoSession onBook={() => onBook(day)} />}
    </>
  );
}
