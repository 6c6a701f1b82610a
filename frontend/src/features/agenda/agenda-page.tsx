import { useLayoutEffect, useRef, type ComponentType, type KeyboardEvent, type ReactNode } from 'react';
import { parseDate, type Day, type Time } from '../../lib/dates.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { useToday } from '../../lib/zone.js';
import type { ChoiceField, QuickForm } from '../../ui/choice.js';
import { Page } from '../../ui/page.js';
import { AddThing } from './add-thing.js';
import { BookingSheet } from './booking-sheet.js';
import type { Names } from './use-bookings.js';
import classes from './agenda-page.module.css';
import type { DayTasks, UseTasks } from './calendar-tasks.js';
import { CalendarBar } from './calendar-bar.js';
import { SessionSheet, sessionStep } from './session-sheet.js';
import { Legend } from './session-status.js';
import { MonthView } from './month-view.js';
import { daysShown } from './place.js';
import { SelectedDay } from './selected-day.js';
import { SessionsView } from './sessions-view.js';
import { StudentPartsProvider, type StudentParts } from './student-parts.js';
import { usePlace } from './use-place.js';
import { WeekStrip } from './week-strip.js';
import { YearView } from './year-view.js';

interface AgendaPageProps {
  /** Parts of other features for the forms and details. */
  StudentField: ChoiceField;
  student: StudentParts;
  LocationField: ChoiceField;
  NewStudent: QuickForm;
  NewLocation: QuickForm;
  names: Names;
  history: (sessionId: string) => ReactNode;
  /** The link to the agenda's other view. */
  views: ReactNode;
  /** The tasks of the calendar's days. */
  Tasks: DayTasks;
  useTasks: UseTasks;
  /** Holidays and vacations from `from` to `to`, both included. */
  DaysOff: ComponentType<{ from: Day; to: Day }>;
}

/** The agenda: its header, the calendar in one of its modes, and the sheets over it. What it shows is in the address. */
export function AgendaPage({
  StudentField,
  student,
  LocationField,
  NewStudent,
  NewLocation,
  names,
  history,
  views,
  Tasks,
  useTasks,
  DaysOff,
}: AgendaPageProps) {
  const today = useToday();
  const { place, wide, search, change, goTo, step, show, openDay, leaveDay } = usePlace();
  const { mode, day } = place;
  const shown = daysShown(place);

  const open = (id: string) => change({ sessao: id, passo: null });
  const book = (onDay: Day, at?: Time) => change({ novo: 'agendamento', em: onDay, as: at ?? null });
  const reopen = (id: string) => {
    if (!search.has('novo') && !search.has('sessao')) change({ sessao: id, passo: 'cancelar' });
  };
  const close = () =>
    change({ novo: null, em: null, as: null, aluno: null, sessao: null, passo: null }, { replace: true });
  const calendar = useFocusAcrossModes(mode);
  const swipe = useSwipe(step);

  const sessions = { onOpen: open, onBook: book, onDay: openDay, Tasks };
  const view = {
    dia: () => (
      <>
        <WeekStrip day={day} onChoose={goTo} />
        <SessionsView mode="dia" day={day} {...sessions} />
      </>
    ),
    semana: () => <SessionsView mode="semana" day={day} {...sessions} />,
    mes: () => (
      <>
        <MonthView
          day={day}
          useTasks={useTasks}
          isNarrow={!wide}
          onOpen={wide ? openDay : goTo}
          onChoose={goTo}
        />
        {!wide && (
          <SelectedDay day={day} onOpen={openDay}>
            <SessionsView mode="dia" day={day} {...sessions} />
          </SelectedDay>
        )}
      </>
    ),
    ano: () => (
      <YearView day={day} onOpen={openDay} onMonth={(to) => show({ mode: 'mes', day: to })} onChoose={goTo} />
    ),
  };

  return (
    <StudentPartsProvider value={student}>
      <Page title="Agenda" width="wide" action={<AddThing day={day} />}>
        {views}
        <div ref={calendar} className={classes.calendar} onKeyDown={leavingBy(leaveDay)} {...swipe}>
          <CalendarBar place={place} onMode={(to) => show({ mode: to })} onStep={step} onDay={goTo} />
          {shown && <DaysOff {...shown} />}
          {view[mode]()}
        </div>
        <Legend />
        <BookingSheet
          opened={search.get('novo') === 'agendamento'}
          day={parseDate(search.get('em') ?? '') ?? (day < today ? today : day)}
          time={search.get('as')}
          studentId={search.get('aluno')}
          onClose={close}
          StudentsField={student.StudentsField}
          LocationField={LocationField}
          NewStudent={NewStudent}
          NewLocation={NewLocation}
          names={names}
        />
        <SessionSheet
          sessionId={search.get('sessao')}
          step={sessionStep(search.get('passo'))}
          onStep={(step, id) =>
            change(
              { passo: step === 'detail' ? null : step, ...(id && { sessao: id }) },
              { replace: step === 'detail' },
            )
          }
          onClose={close}
          onReturn={reopen}
          StudentField={StudentField}
          LocationField={LocationField}
          names={names}
          history={history}
        />
      </Page>
    </StudentPartsProvider>
  );
}

/** Handles Escape in the calendar, but not in sheets over it. */
const leavingBy = (leave: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const { currentTarget, target, key } = event;
  if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) leave();
};

/** Where a change of the mode has removed the focused element, focuses the day in the new grid; in other modes the period's title. */
function useFocusAcrossModes(mode: string) {
  const calendar = useRef<HTMLDivElement>(null);
  const before = useRef(mode);
  useLayoutEffect(() => {
    if (before.current === mode) return;
    before.current = mode;
    const period = calendar.current?.querySelector('h2');
    const { activeElement } = document;
    if (activeElement !== document.body && activeElement !== period) return;
    const day = calendar.current?.querySelector<HTMLElement>('[data-day][tabindex="0"]');
    (day ?? period)?.focus({ preventScroll: true });
  }, [mode]);
  return calendar;
}
