import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import { type Day, addMinutes, formatTime, instantOf, timeOf } from '../../lib/dates.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { refresh } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { toast } from '../../ui/toast.js';
import { Notice } from '../../ui/notice.js';
import { useWeeksOf } from './agenda.queries.js';
import type { DayTasks } from './calendar-tasks.js';
import { type GridActions, DayGrid } from './day-grid.js';
import { DayView } from './day-view.js';
import { MoveForm } from './move-form.js';
import { conflictOf, type TimeConflict } from './conflict.js';
import type { Stretch } from './grid-layout.js';
import type { SessionTimes, ShownSession } from './pending-session.js';
import { useReschedule } from './use-reschedule.js';
import type { Opens } from './use-opens-at.js';
import { sessionsOfDay } from './hours.js';

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

interface WeekViewProps extends GridActions {
  days: readonly Day[];
  sessions: readonly ShownSession[];
  wide: boolean;
  opens: Opens;
}

/** The days of a week side by side: all of them on wide screens, three on the phone. */
function WeekView({ days, sessions, wide, ...grid }: WeekViewProps) {
  const zone = useZone();
  const isEmpty = days.every((day) => sessionsOfDay(sessions, day, zone).length === 0);
  return (
    <>
      <DayGrid label="Semana" days={days} sessions={sessions} {...grid} />
      {isEmpty && (
        <Notice icon="calendar" title="Nenhuma sessão agendada">
          {wide && 'Toque em um dia para agendar.'}
        </Notice>
      )}
    </>
  );
}

/** A session that was dropped on another one. */
interface Refused {
  session: ShownSession;
  to: SessionTimes;
  conflict: TimeConflict;
}

/** Moves a session that is dropped in the calendar. If it overlaps another one, asks first. */
function useDrop(sessions: readonly ShownSession[]) {
  const zone = useZone();
  const client = useQueryClient();
  const reschedule = useReschedule();
  const [refused, setRefused] = useState<Refused | null>(null);

  const move = async (session: ShownSession, day: Day, { start, end }: Stretch): Promise<void> => {
    const inicio = instantOf(day, addMinutes('00:00', start), zone);
    const to = { inicio, fim: new Date(Date.parse(inicio) + (end - start) * 60_000).toISOString() };
    const other = sessions.find(
      ({ id, status, ...times }) =>
        id !== session.id && status !== 'cancelada' && times.inicio < to.fim && times.fim > to.inicio,
    );
    if (other) {
      setRefused({ session, to, conflict: { message: takenBy(other, zone), free: [] } });
      return;
    }
    try {
      await reschedule(session, to);
    } catch (error) {
      if (isTimeRefusal(error)) {
        setRefused({ session, to, conflict: conflictOf(error) });
        // The overlapping session may not be loaded yet.
        void refresh(client, ['sessions']);
      } else toast.error('Erro ao atualizar agendamento', { description: messageOf(error) });
    }
  };

  return { move, refused, leave: () => setRefused(null) };
}

/** The same message as the server's. */
function takenBy({ student_nome, inicio, fim }: ShownSession, zone: string): string {
  const who = student_nome === null ? 'Já há uma sessão' : `${firstName(student_nome)} já tem sessão`;
  const [from, to] = [inicio, fim].map((at) => formatTime(timeOf(at, zone)));
  return `${who} das ${from} às ${to}. Escolha outro horário ou agende mesmo assim.`;
}
