import type { Day } from '../../lib/dates.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useWeeksOf } from './agenda.queries.js';
import type { DayTasks } from './calendar-tasks.js';
import type { GridActions } from './day-grid.js';
import { DayView } from './day-view.js';
import { MoveForm } from './move-form.js';
import { useDrop } from './use-drop.js';
import type { Opens } from './use-opens-at.js';
import { WeekView } from './week-view.js';

interface SessionsViewProps extends Omit<GridActions, 'onMove'> {
  /** A single day, or the columns of a week. */
  days: readonly Day[];
  wide: boolean;
  /** The page opens at the current time, or at the first session of other days. */
  opens: Opens;
  Tasks: DayTasks;
}

/** The sessions of a day or a week, which can be moved by dragging. */
export function SessionsView({ days, wide, opens, Tasks, ...opening }: SessionsViewProps) {
  const [first, last] = [days[0]!, days.at(-1)!];
  const sessions = useWeeksOf(first, last);
  const drop = useDrop(sessions.data ?? []);
  const actions: GridActions = { ...opening, onMove: (...dropped) => void drop.move(...dropped) };

  return (
    <>
      <Tasks days={days} isFolded={!wide} onDay={opening.onDay} />
      <Async of={sessions} skeleton={<Skeletons count={5} height={72} />}>
        {(items) =>
          first === last ? (
            <DayView day={first} wide={wide} sessions={items} opens={opens} {...actions} />
          ) : (
            <WeekView days={days} wide={wide} sessions={items} opens={opens} {...actions} />
          )
        }
      </Async>
      <Sheet opened={drop.refused !== null} onClose={drop.leave} title="Remarcar sessão" withoutAddress>
        {drop.refused && <MoveForm {...drop.refused} onDone={drop.leave} onBack={drop.leave} />}
      </Sheet>
    </>
  );
}
