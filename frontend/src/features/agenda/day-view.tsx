import { Button } from '@mantine/core';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { minutesOf, type Day, type Time } from '../../lib/dates.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import classes from './day-view.module.css';
import { byHour, hourLabel, sessionsOfDay } from './hours.js';
import { SessionBlock } from './session-block.js';

interface DayViewProps {
  day: Day;
  sessions: readonly Session[];
  onOpen: (sessionId: string) => void;
  onBook: (at?: Time) => void;
}

/** A day by its hours: those with sessions, and today also the current one. */
export function DayView({ day, sessions, onOpen, onBook }: DayViewProps) {
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
                  <button type="button" className={classes.free} onClick={() => onBook(hourLabel(hour))}>
                    <Icon name="clock" size={16} /> Livre agora
                  </button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      {items.length === 0 && (
        <Notice
          icon="calendar"
          title="Nenhuma sessão agendada"
          action={
            <Button variant="light" onClick={() => onBook()}>
              Agendar neste dia
            </Button>
          }
        />
      )}
    </>
  );
}
