import { lazy, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { AgendaPage } from '../../features/agenda/agenda-page.js';
import { AgendaViews } from '../../features/agenda/agenda-views.js';
import { AgendaSettings, type AgendaPanel } from '../../features/availability/agenda-settings.js';
import { DaysOff } from '../../features/availability/days-off.js';
import { SessionCharge, SessionDue } from '../../features/charges/session-charge.js';
import { StoppedLine } from '../../features/other-calendar/stopped-line.js';
import ConfirmVisit from '../../features/public-link/confirm-visit.js';
import { SessionReminder } from '../../features/reminders/session-reminder.js';
import RequestMark from '../../features/student-area/request-mark.js';
import { RequestOfSession } from '../../features/student-area/request-card.js';
import { CalendarTasks } from '../../features/tasks/calendar-tasks.js';
import { useTasksByDay } from '../../features/tasks/tasks.queries.js';
import { TaskSheets } from '../../features/tasks/task-sheets.js';
import { TasksPage } from '../../features/tasks/tasks-page.js';
import { whenReachable } from '../../lib/chunks.js';

const DeclineVisit = lazy(() => whenReachable(() => import('../../features/public-link/decline-visit.js')));
const NewStudent = lazy(() => whenReachable(() => import('../../features/students/quick-student.js')));
const NewLocation = lazy(() => whenReachable(() => import('../../features/locations/quick-location.js')));
const RemindersPanel = lazy(() => whenReachable(() => import('./reminders.js')));
const PublicLinksPanel = lazy(() => whenReachable(() => import('./public-links.js')));
const WeekCopyPanel = lazy(() => whenReachable(() => import('../../features/agenda/week-copy-panel.js')));
const panels: readonly AgendaPanel[] = [
  { name: 'links', title: 'Links públicos', icon: 'link', Panel: PublicLinksPanel },
  { name: 'copiar', title: 'Copiar semana', icon: 'calendar', Panel: WeekCopyPanel },
  { name: 'lembretes', title: 'Lembretes', icon: 'chat', Panel: RemindersPanel },
];

const studentParts = {
  SessionCharge,
  SessionDue,
  SessionReminder,
  ConfirmVisit,
  DeclineVisit,
  RequestMark,
  SessionRequest: RequestOfSession,
};

export default function Agenda() {
  const [search] = useSearchParams();
  return (
    <>
      {search.get('ver') === 'tarefas' ? <TasksPage views={<AgendaViews />} /> : <Calendar />}
      <TaskSheets />
    </>
  );
}

const Settings = ({ children }: { children?: ReactNode }) => (
  <AgendaSettings more={panels}>{children}</AgendaSettings>
);

function Calendar() {
  return (
    <AgendaPage
      Settings={Settings}
      notices={<StoppedLine />}
      Tasks={CalendarTasks}
      useTasks={useTasksByDay}
      DaysOff={DaysOff}
      student={studentParts}
      NewStudent={NewStudent}
      NewLocation={NewLocation}
    />
  );
}
