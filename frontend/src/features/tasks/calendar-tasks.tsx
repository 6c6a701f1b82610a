import { useSearchParams } from 'react-router-dom';
import { formatLongDay, type Day } from '../../lib/dates.js';
import type { ShownTask } from './pending-task.js';
import { TaskCheck } from './task-check.js';
import { TaskFacts } from './task-facts.js';
import classes from './tasks.module.css';
import { useTasksOf } from './tasks.queries.js';

/** Most tasks in one day's column of the week. If there are more, one row less, for the line that counts the rest. */
const MOST_IN_COLUMN = 3;

interface CalendarTasksProps {
  week: readonly Day[];
  /** Shows only this day of the week. */
  day?: Day | undefined;
  onDay: (day: Day) => void;
}

/** The tasks of a week in the calendar: for one day as a list, for the week above the columns of their days. Renders nothing without tasks. */
export function CalendarTasks({ week, day, onDay }: CalendarTasksProps) {
  const [first = '', last = ''] = [week[0], week.at(-1)];
  const { data: tasks = [] } = useTasksOf(first, last);
  const of = (date: Day) => tasks.filter(({ data_vencimento }) => data_vencimento === date);
  if (day !== undefined) {
    const ofDay = of(day);
    if (ofDay.length === 0) return null;
    return (
      <section aria-label="Tarefas">
        <Tasks tasks={ofDay} />
      </section>
    );
  }
  if (tasks.length === 0) return null;
  return (
    <section className={classes.week} aria-label="Tarefas">
      {week.map((date) => {
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

function Tasks({ tasks, label }: { tasks: readonly ShownTask[]; label?: string }) {
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
            {!label && <TaskFacts task={task} withDay={false} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
