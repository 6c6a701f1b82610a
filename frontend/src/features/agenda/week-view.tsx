import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { formatDay, formatLongDay, formatWeekday, type Day, type Time } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import classes from './week-view.module.css';
import { byHour, hourLabel, sessionsOfDay } from './hours.js';
import { SessionBlock } from './session-block.js';

interface WeekViewProps {
  week: readonly Day[];
  sessions: readonly Session[];
  onOpen: (sessionId: string) => void;
  onBook: (day: Day, at?: Time) => void;
}

/** A week: days beside each other where there is room, one under the other on the phone. */
export function WeekView(props: WeekViewProps) {
  const wide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  return wide ? <WeekGrid {...props} /> : <WeekList {...props} />;
}

function WeekGrid({ week, sessions, onOpen, onBook }: WeekViewProps) {
  const zone = useZone();
  const today = useToday();
  const hours = byHour(sessions, zone);
  return (
    <div className={classes.week} role="table" aria-label="Semana">
      <div className={classes.weekRow} role="row">
        <span role="columnheader" className={classes.corner}>
          <VisuallyHidden>Hora</VisuallyHidden>
        </span>
        {week.map((day) => (
          <div
            key={day}
            role="columnheader"
            className={classes.weekDay}
            data-today={day === today || undefined}
          >
            <button type="button" onClick={() => onBook(day)} aria-label={`Agendar em ${formatLongDay(day)}`}>
              {formatWeekday(day)} <strong>{Number(day.slice(8))}</strong>
              <Icon name="plus" size={16} />
            </button>
          </div>
        ))}
      </div>
      {hours.map(([hour, starting]) => (
        <div key={hour} className={classes.weekRow} role="row">
          <span role="rowheader" className={classes.hourLabel}>
            {hourLabel(hour)}
          </span>
          {week.map((day) => {
            const items = sessionsOfDay(starting, day, zone);
            return (
              <div key={day} role="cell" className={classes.weekCell} data-today={day === today || undefined}>
                {items.map((session) => (
                  <SessionBlock
                    key={session.id}
                    session={session}
                    compact
                    onOpen={() => onOpen(session.id)}
                  />
                ))}
                {items.every(({ status }) => status === 'cancelada') && (
                  <FreeCell day={day} at={hourLabel(hour)} onBook={onBook} />
                )}
              </div>
            );
          })}
        </div>
      ))}
      {hours.length === 0 && (
        <Notice icon="calendar" title="Nenhuma sessão agendada">
          Toque em um dia para agendar.
        </Notice>
      )}
    </div>
  );
}

/** Books where it is tapped. Keys reach the day's own button instead of every hour of it. */
function FreeCell({ day, at, onBook }: { day: Day; at: Time; onBook: (day: Day, at: Time) => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.freeCell}
      aria-label={`Agendar em ${formatLongDay(day)}, ${at}`}
      onClick={() => onBook(day, at)}
    >
      <Icon name="plus" size={16} />
    </button>
  );
}

function WeekList({ week, sessions, onOpen, onBook }: WeekViewProps) {
  const zone = useZone();
  const today = useToday();
  const start = useRef<HTMLElement>(null);
  const [sunday] = week;
  useEffect(() => {
    // In braces: where scrolling answers with a promise, React would take that for what undoes the effect.
    start.current?.scrollIntoView({ block: 'start' });
  }, [sunday]);
  return (
    <div className={classes.weekList}>
      {week.map((day) => {
        const items = sessionsOfDay(sessions, day, zone);
        return (
          <section key={day} ref={day === today ? start : undefined} aria-label={formatLongDay(day)}>
            <div className={classes.weekListDay} data-today={day === today || undefined}>
              <h3>{formatDay(day, today)}</h3>
              <button
                type="button"
                onClick={() => onBook(day)}
                aria-label={`Agendar em ${formatLongDay(day)}`}
              >
                <Icon name="plus" />
              </button>
            </div>
            {items.length === 0 ? (
              <p className={classes.nothing}>Nada marcado</p>
            ) : (
              <div className={classes.sessions}>
                {items.map((session) => (
                  <SessionBlock key={session.id} session={session} onOpen={() => onOpen(session.id)} />
                ))}
              </div>
            )}
          </section>
        );
      })}
    </div>
  );
}
