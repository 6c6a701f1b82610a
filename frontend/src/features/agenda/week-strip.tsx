import { plural } from '../../../../backend/platform/plural.api.js';
import { useMemo } from 'react';
import { formatLongDay, formatWeekday, weekOf, type Day } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useWeekOf } from './agenda.queries.js';
import { sessionsOfDay } from './hours.js';
import classes from './week-strip.module.css';

interface WeekStripProps {
  day: Day;
  onChoose: (day: Day) => void;
}

/** The days of a week with their numbers of sessions, to choose another day. */
export function WeekStrip({ day, onChoose }: WeekStripProps) {
  const zone = useZone();
  const today = useToday();
  const { data } = useWeekOf(day);
  const live = useMemo(() => (data ?? []).filter(({ status }) => status !== 'cancelada'), [data]);
  return (
    <div className={classes.strip}>
      {weekOf(day).map((date) => {
        const count = sessionsOfDay(live, date, zone).length;
        return (
          <button
            key={date}
            type="button"
            className={classes.day}
            aria-pressed={date === day}
            aria-label={`${formatLongDay(date)}, ${plural(count, 'sessão', 'sessões')}`}
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
