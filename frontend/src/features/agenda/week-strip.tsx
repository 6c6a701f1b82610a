import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { formatLongDay, formatWeekday, type Day } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import classes from './week-strip.module.css';
import { sessionsOfDay } from './hours.js';

interface WeekStripProps {
  week: readonly Day[];
  day: Day;
  sessions: readonly Session[];
  onChoose: (day: Day) => void;
}

/** The week of a day, each day with how many sessions it has: one tap to another day. */
export function WeekStrip({ week, day, sessions, onChoose }: WeekStripProps) {
  const zone = useZone();
  const today = useToday();
  return (
    <div className={classes.strip}>
      {week.map((date) => {
        const count = sessionsOfDay(sessions, date, zone).filter(
          ({ status }) => status !== 'cancelada',
        ).length;
        return (
          <button
            key={date}
            type="button"
            className={classes.day}
            aria-pressed={date === day}
            aria-label={`${formatLongDay(date)}, ${count} ${count === 1 ? 'sessão' : 'sessões'}`}
            data-today={date === today || undefined}
            onClick={() => onChoose(date)}
          >
            <span className={classes.weekday}>{formatWeekday(date).replace('.', '')}</span>
            <span className={classes.number}>{Number(date.slice(8))}</span>
            <span className={classes.count}>{count || ''}</span>
          </button>
        );
      })}
    </div>
  );
}
