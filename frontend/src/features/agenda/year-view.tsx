import { memo, useLayoutEffect } from 'react';
import type { SessionDay } from '../../../../backend/modules/agenda/session-days.api.js';
import {
  addDays,
  formatMonth,
  formatWeekday,
  monthOf,
  startOfWeek,
  type Day,
  type Month,
} from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import { miniMonth, monthsOf, weeksOf } from './month-grid.js';
import { stepped } from './place.js';
import { statusOf, wordsOf } from './session-days.js';
import { useSessionDays } from './session-days.queries.js';
import { statuses } from './session-status.js';
import { useDayGrid } from './use-day-grid.js';
import classes from './year-view.module.css';

interface YearViewProps {
  day: Day;
  onOpen: (day: Day) => void;
  onMonth: (day: Day) => void;
  /** Chooses another day in the same mode. */
  onChoose: (day: Day) => void;
}

/** A year of small months, in which days with sessions are marked, from one request. */
export function YearView({ day, onOpen, onMonth, onChoose }: YearViewProps) {
  const today = useToday();
  const year = day.slice(0, 4);
  const sessions = useSessionDays(`${year}-01-01`, `${Number(year) + 1}-01-01`);
  const { at, props } = useDayGrid({
    day,
    holds: (to) => to.startsWith(year),
    step: (from, years) => stepped({ mode: 'ano', day: from }, years),
    onOpen,
    onLeave: onChoose,
  });
  const { ref } = props;
  useLayoutEffect(() => {
    const chosen = ref.current?.querySelector('[data-day][tabindex="0"]')?.closest('section');
    // In braces, because React would take a promise returned by scrolling for the effect's cleanup.
    chosen?.scrollIntoView({ block: 'nearest' });
  }, [ref, year]);

  return (
    <>
      <div className={classes.year} aria-busy={sessions.isPending || undefined} {...props}>
        {monthsOf(year).map((month) => (
          <MiniMonth
            key={month}
            month={month}
            of={sessions.data}
            at={monthOf(at) === month ? at : null}
            today={monthOf(today) === month ? today : null}
            onMonth={onMonth}
          />
        ))}
      </div>
      <Async of={sessions}>{() => null}</Async>
    </>
  );
}

interface MiniMonthProps {
  month: Month;
  of: ReadonlyMap<Day, SessionDay> | undefined;
  /** The day in the tab order, if it is in this month. */
  at: Day | null;
  today: Day | null;
  onMonth: (day: Day) => void;
}

const A_SUNDAY = startOfWeek('2026-11-22');
const weekdays = Array.from({ length: 7 }, (_, index) => addDays(A_SUNDAY, index));

const MiniMonth = memo(function MiniMonth({ month, of, at, today, onMonth }: MiniMonthProps) {
  const name = formatMonth(month);
  return (
    <section className={classes.month}>
      <button type="button" className={classes.name} onClick={() => onMonth(`${month}-01`)}>
        {name}
      </button>
      <div role="grid" aria-label={`${name} de ${month.slice(0, 4)}`}>
        <div role="row" className={classes.week}>
          {weekdays.map((date) => (
            <span key={date} role="columnheader" className={classes.weekday}>
              {formatWeekday(date).slice(0, 3)}
            </span>
          ))}
        </div>
        {weeksOf(miniMonth(month)).map((week, index) => (
          <div key={index} role="row" className={classes.week}>
            {week.map((date, weekday) =>
              date === null ? (
                <span key={weekday} role="gridcell" />
              ) : (
                <YearCell
                  key={date}
                  day={date}
                  monthName={name}
                  of={of?.get(date)}
                  isAt={date === at}
                  isToday={date === today}
                />
              ),
            )}
          </div>
        ))}
      </div>
    </section>
  );
});

interface YearCellProps {
  day: Day;
  monthName: string;
  of: SessionDay | undefined;
  isAt: boolean;
  isToday: boolean;
}

const YearCell = memo(function YearCell({ day, monthName, of, isAt, isToday }: YearCellProps) {
  const number = Number(day.slice(8));
  const status = of && statusOf(of);
  return (
    <div
      role="gridcell"
      className={classes.day}
      data-day={day}
      data-status={status}
      tabIndex={isAt ? 0 : -1}
      aria-label={[`${number} de ${monthName}`, wordsOf(of)].filter(Boolean).join(', ')}
      aria-current={isToday ? 'date' : undefined}
    >
      {number}
      {status && <Icon name={statuses[status].icon} size={10} />}
    </div>
  );
});
