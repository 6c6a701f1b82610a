import { useMemo } from 'react';
import { weekOf, type Day } from '../../lib/dates.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useWeekOf } from './agenda.queries.js';
import type { DayTasks } from './calendar-tasks.js';
import type { GridActions } from './day-grid.js';
import { DayView } from './day-view.js';
import { MoveForm } from './move-form.js';
import { useDrop } from './use-drop.js';
import { WeekView } from './week-view.js';

interface SessionsViewProps extends Omit<GridActions, 'onMove'> {
  mode: 'dia' | 'semana';
  day: Day;
  Tasks: DayTasks;
}

/** The sessions of a day or a week, which can be moved by dragging. */
export function SessionsView({ mode, day, Tasks, ...opening }: SessionsViewProps) {
  const week = useMemo(() => weekOf(day), [day]);
  const sessions = useWeekOf(day);
  const drop = useDrop(sessions.data ?? []);
  const actions: GridActions = { ...opening, onMove: (...dropped) => void drop.move(...dropped) };

  return (
    <>
      {mode === 'dia' && <Tasks week={week} day={day} onDay={opening.onDay} />}
      <Async of={sessions} skeleton={<Skeletons count={5} height={72} />}>
        {(items) =>
          mode === 'dia' ? (
            <DayView day={day} sessions={items} {...actions} />
          ) : (
            <WeekView week={week} sessions={items} Tasks={Tasks} {...actions} />
          )
        }
      </Async>
      <Sheet opened={drop.refused !== null} onClose={drop.leave} title="Remarcar sessão" withoutAddress>
        {drop.refused && <MoveForm {...drop.refused} onDone={drop.leave} onBack={drop.leave} />}
      </Sheet>
    </>
  );
}
