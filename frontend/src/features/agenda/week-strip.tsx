import { plural } from '../../../../backend/platform/plural.api.js';
import { useMemo, type CSSProperties } from 'react';
import { addDays, formatLongDay, formatWeekday, type Day } from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useWeeksOf } from './agenda.queries.js';
import { sessionsOfDay } from './hours.js';
import { useDayGrid } from './use-day-grid.js';
import classes from './week-strip.module.css';

/** Number of sessions of a full day. */
const FULL_DAY = 8;

interface WeekStripProps {
  days: readonly Day[];
  day: Day;
  /** `day` is the chosen one. */
  isChoice?: boolean;
  onChoose: (day: Day) => void;
  /** Called by a key that leads to a day outside of `days`. */
  onLeave: (day: Day) => void;
}

/** Days with a bar for their load, to choose one by a tap or by arrow keys. */
export function WeekStrip({ days, day, isChoice = false, onChoose, onLeave }: WeekStripProps) {
  const zone = useZone();
  const today = useToday();
  const { data } = useWeeksOf(days[0]!, days.at(-1)!);
  const live = useMemo(() => (data ?? []).filter(({ status }) => status !== 'cancelada'), [data]);
  const { at, props } = useDayGrid({
    day,
    holds: (to) => days.includes(to),
    step: (from, periods) => addDays(from, days.length * periods),
    onOpen: onChoose,
    onLeave,
  });
  return (
    <div
      role="group"
      aria-label="Dias"
      className={classes.strip}
      style={{ '--days': days.length } as CSSProperties}
      {...props}
    >
      {days.map((date) => {
        const count = sessionsOfDay(live, date, zone).length;
        return (
          <button
            key={date}
            type="button"
            className={classes.day}
            tabIndex={date === at ? 0 : -1}
            aria-pressed={isChoice ? date === day : undefined}
            aria-label={`${formatLongDay(date)}, ${plural(count, 'sessão', 'sessões')}`}
            data-day={date}
            data-today={date === today || undefined}
          >
            <span className={classes.weekday}>{formatWeekday(date).replace('.', '')}</span>
            <span className={classes.number}>{Number(date.slice(8))}</span>
            <span
              className={classes.load}
              style={{ '--load': Math.min(count / FULL_DAY, 1) } as CSSProperties}
            />
          </button>
        );
      })}
    </div>
  );
}
