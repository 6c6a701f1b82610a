import { useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { plural, wordFor } from '../../../../backend/platform/plural.api.js';
import { addDays, formatLongDay, startOfWeek, type Day } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import type { ShownTask } from './pending-task.js';
import { TaskCheck } from './task-check.js';
import { TaskFacts } from './task-facts.js';
import classes from './tasks.module.css';
import { useDueTasks, useTasksOf } from './tasks.queries.js';

/** Most tasks in one day's column of the week. If there are more, one row less, for the line that counts the rest. */
const MOST_IN_COLUMN = 3;

interface CalendarTasksProps {
  days: readonly Day[];
  /** One row that opens to the list. */
  isFolded: boolean;
  onDay: (day: Day) => void;
}

/**
 * The tasks of some days in the calendar: of one day as a list, of a week above the columns of their days. A list with today begins
 * with what is overdue, so that it has the tasks that the dashboard counts. Renders nothing without tasks.
 */
export function CalendarTasks({ days, isFolded, onDay }: CalendarTasksProps) {
  const today = useToday();
  // Of whole weeks, which may already be loaded.
  const { data = [] } = useTasksOf(startOfWeek(days[0]!), addDays(startOfWeek(days.at(-1)!), 6));
  const { data: due = [] } = useDueTasks();
  const of = (date: Day) => data.filter(({ data_vencimento }) => data_vencimento === date);
  const ofDays = days.flatMap(of);
  if (isFolded || days.length === 1) {
    const before = (date: Day | null) => date !== null && date < days[0]!;
    const overdue = days.includes(today) ? due.filter((task) => before(task.data_vencimento)) : [];
    const tasks = [...overdue, ...ofDays];
    const withDay = days.length > 1 || overdue.length > 0;
    if (tasks.length === 0) return null;
    return (
      <section aria-label="Tarefas">
        {isFolded ? <Folded tasks={tasks} withDay={withDay} /> : <Tasks tasks={tasks} withDay={withDay} />}
      </section>
    );
  }
  if (ofDays.length === 0) return null;
  return (
    <section className={classes.week} aria-label="Tarefas">
      {days.map((date) => {
        const ofDay = of(date);
        const shown = ofDay.length > MOST_IN_COLUMN ? ofDay.slice(0, MOST_IN_COLUMN - 1) : ofDay;
        const more = ofDay.length - shown.length;
        return (
          <div key={date} className={classes.ofDay}>
            {shown.length > 0 && <Tasks tasks={shown} label={`Tarefas de ${formatLongDay(date)}`} />}
            {more > 0 && (
              <button type="button" className={classes.more} onClick={() => onDay(date)}>
                +{more} mais
              </button>
            )}
          </div>
        );
      })}
    </section>
  );
}

/** "3 tarefas", which are open, with their first titles, in one row; a tap shows them all. */
function Folded({ tasks, withDay }: { tasks: readonly ShownTask[]; withDay: boolean }) {
  const [opened, setOpened] = useState(false);
  const list = useId();
  const open = tasks.filter(({ concluida }) => !concluida);
  return (
    <>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={opened}
        aria-controls={list}
        onClick={() => setOpened(!opened)}
      >
        <Icon name="ticks" size={18} />
        <strong>{plural(open.length || tasks.length, 'tarefa', 'tarefas')}</strong>
        <span className={classes.preview}>
          {!opened &&
            (open.map(({ titulo }) => titulo).join(' · ') || wordFor(tasks.length, 'feita', 'feitas'))}
        </span>
        <Icon name="down" size={18} />
      </button>
      {opened && (
        <div id={list}>
          <Tasks tasks={tasks} withDay={withDay} />
        </div>
      )}
    </>
  );
}

interface TasksProps {
  tasks: readonly ShownTask[];
  label?: string;
  withDay?: boolean;
}

function Tasks({ tasks, label, withDay = false }: TasksProps) {
  const [search, setSearch] = useSearchParams();
  const open = (id: string) => {
    const next = new URLSearchParams(search);
    next.set('tarefa', id);
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <ul className={classes.tasks} aria-label={label}>
      {tasks.map((task) => (
        <li key={task.id} className={classes.calendarTask} data-done={task.concluida || undefined}>
          <TaskCheck task={task} />
          <button
            type="button"
            className={classes.open}
            title={label && task.titulo}
            onClick={() => open(task.id)}
          >
            <span className={classes.title}>{task.titulo}</span>
            {!label && <TaskFacts task={task} withDay={withDay} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
