import { memo } from 'react';
import type { SessionDay } from '../../../../backend/modules/agenda/session-days.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import {
  addDays,
  formatLongDay,
  formatTime,
  formatWeekday,
  monthOf,
  timeOf,
  type Day,
} from '../../lib/dates.js';
import { useToday, useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import type { NamedTask, UseTasks } from './calendar-tasks.js';
import { cellItems, monthGrid, weeksOf } from './month-grid.js';
import classes from './month-view.module.css';
import { periodOf, stepped } from './place.js';
import { MOST_NAMED, statusOf, totalOf, wordsOf } from './session-days.js';
import { useSessionDays } from './session-days.queries.js';
import { statuses } from './session-status.js';
import { sharedName } from './shared-hours.js';
import { useDayGrid } from './use-day-grid.js';

interface MonthViewProps {
  day: Day;
  useTasks: UseTasks;
  /** Shows the number of sessions instead of names. */
  isNarrow: boolean;
  onOpen: (day: Day) => void;
  /** Chooses another day in the same mode. */
  onChoose: (day: Day) => void;
}

/** A month in whole weeks, with the sessions of each day, from one request. */
export function MonthView({ day, useTasks, isNarrow, onOpen, onChoose }: MonthViewProps) {
  const today = useToday();
  const month = monthOf(day);
  const days = monthGrid(month);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const sessions = useSessionDays(first, addDays(last, 1), MOST_NAMED);
  const tasks = useTasks(first, last);
  const { at, props } = useDayGrid({
    day,
    holds: (to) => monthOf(to) === month,
    step: (from, months) => stepped({ mode: 'mes', day: from }, months),
    onOpen,
    onLeave: onChoose,
  });

  return (
    <>
      <div
        role="grid"
        aria-label={periodOf({ mode: 'mes', day }, today)}
        aria-busy={sessions.isPending || undefined}
        className={classes.month}
        data-narrow={isNarrow || undefined}
        {...props}
      >
        <div role="row" className={classes.week}>
          {days.slice(0, 7).map((date) => (
            <span key={date} role="columnheader" className={classes.weekday}>
              {formatWeekday(date).replace('.', '')}
            </span>
          ))}
        </div>
        {weeksOf(days).map((week) => (
          <div key={week[0]} role="row" className={classes.week}>
            {week.map((date) => (
              <MonthCell
                key={date}
                day={date}
                of={sessions.data?.get(date)}
                tasks={tasks.get(date)}
                isNarrow={isNarrow}
                isAt={date === at}
                isToday={date === today}
                isChosen={isNarrow && date === day}
                isOutside={monthOf(date) !== month}
              />
            ))}
          </div>
        ))}
      </div>
      <Async of={sessions}>{() => null}</Async>
    </>
  );
}

interface MonthCellProps {
  day: Day;
  of: SessionDay | undefined;
  tasks: readonly NamedTask[] | undefined;
  isNarrow: boolean;
  isAt: boolean;
  isToday: boolean;
  isChosen: boolean;
  isOutside: boolean;
}

const MonthCell = memo(function MonthCell({
  day,
  of,
  tasks,
  isNarrow,
  isAt,
  isToday,
  isChosen,
  isOutside,
}: MonthCellProps) {
  return (
    <div
      role="gridcell"
      className={classes.day}
      data-day={day}
      tabIndex={isAt ? 0 : -1}
      aria-label={[formatLongDay(day), wordsOf(of), tasks && plural(tasks.length, 'tarefa', 'tarefas')]
        .filter(Boolean)
        .join(', ')}
      aria-current={isToday ? 'date' : undefined}
      aria-selected={isNarrow ? isChosen : undefined}
      data-outside={isOutside || undefined}
    >
      <span className={classes.number}>{Number(day.slice(8))}</span>
      {isNarrow ? of && <Count of={of} /> : <Items of={of} tasks={tasks} />}
    </div>
  );
});

/** Number of a day's sessions; cancelled ones count only if there are no others. */
function Count({ of }: { of: SessionDay }) {
  const status = statusOf(of);
  return (
    <span className={classes.count} data-status={status}>
      <Icon name={statuses[status].icon} size={12} />
      {of.agendada + of.feita || of.cancelada}
    </span>
  );
}

function Items({ of, tasks = [] }: Pick<MonthCellProps, 'of' | 'tasks'>) {
  const zone = useZone();
  const shown = cellItems(of?.primeiras ?? [], of ? totalOf(of) : 0, tasks);
  return (
    <>
      {shown.sessions.map(({ id, inicio, status, student_nome, outros }) => (
        <span key={id} className={classes.item} data-status={status}>
          <Icon name={statuses[status].icon} size={12} />
          <span className={classes.time}>{formatTime(timeOf(inicio, zone))}</span>
          <span className={classes.name}>{sharedName([student_nome, ...outros]) ?? 'Aluno apagado'}</span>
        </span>
      ))}
      {shown.tasks.map(({ id, titulo, concluida }) => (
        <span key={id} className={classes.item} data-status={concluida ? 'feita' : 'tarefa'}>
          <Icon name={concluida ? 'check' : 'circle'} size={12} />
          <span className={classes.name}>{titulo}</span>
        </span>
      ))}
      {shown.more > 0 && <span className={classes.more}>{`+${shown.more} mais`}</span>}
    </>
  );
}
