import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { addMinutes, formatDay, formatLongDay, formatTime, type Day } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import classes from './week-view.module.css';
import type { DayTasks } from './calendar-tasks.js';
import { DayGrid, type GridActions } from './day-grid.js';
import { useDayTimes } from './free-times.queries.js';
import { sessionsOfDay } from './hours.js';
import type { ShownSession } from './pending-session.js';
import { SessionBlock } from './session-block.js';

interface WeekViewProps extends GridActions {
  week: readonly Day[];
  sessions: readonly ShownSession[];
  Tasks: DayTasks;
}

/** A week: days side by side on wide screens, below each other on the phone. */
export function WeekView(props: WeekViewProps) {
  const wide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  const { week, sessions, Tasks, ...actions } = props;
  const list = wide ? undefined : <WeekList {...props} />;
  return (
    <>
      {wide && <Tasks week={week} onDay={actions.onDay} />}
      <DayGrid label="Semana" days={week} sessions={sessions} list={list} {...actions} />
      {wide && sessions.length === 0 && (
        <Notice icon="calendar" title="Nenhuma sessão agendada">
          Toque em um dia para agendar.
        </Notice>
      )}
    </>
  );
}

function WeekList({ week, sessions, Tasks, onOpen, onBook, onDay }: WeekViewProps) {
  const zone = useZone();
  const today = useToday();
  const start = useRef<HTMLElement>(null);
  const [sunday] = week;
  const times = useDayTimes(sunday ?? today, week.at(-1) ?? today);
  useEffect(() => {
    // In braces, because React would take a promise returned by scrolling for the effect's cleanup.
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
            <Tasks week={week} day={day} onDay={onDay} />
            {times
              ?.get(day)
              ?.blocked.filter(({ tipo }) => tipo === 'outro_calendario')
              .map(({ start, end, label }) => (
                <p key={start} className={classes.elsewhere}>
                  {clock(start)}–{clock(end)} {label}
                </p>
              ))}
            {items.length === 0 ? (
              <p className={classes.nothing}>Sem sessões</p>
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

const clock = (minute: number) => formatTime(addMinutes('00:00', minute));
