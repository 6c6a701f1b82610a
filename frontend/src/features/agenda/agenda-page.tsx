import {
  lazy,
  Suspense,
  useLayoutEffect,
  useMemo,
  useRef,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { parseDate, type Day, type Time, formatDay } from '../../lib/dates.js';
import { whenReachable } from '../../lib/chunks.js';
import { useSwipe } from '../../lib/use-swipe.js';
import { useMoment } from '../../lib/moment.js';
import { useToday } from '../../lib/zone.js';
import type { QuickForm } from '../../ui/choice.js';
import { Page, Section } from '../../ui/page.js';
import { Past } from '../../ui/past.js';
import { Skeletons } from '../../ui/states.js';
import { AddLink } from '../../ui/add-link.js';
import { AgendaViews } from './agenda-views.js';
import { BookingSheet } from './booking-sheet.js';
import classes from './agenda-page.module.css';
import type { DayTasks, UseTasks } from './calendar-tasks.js';
import { CalendarBar } from './calendar-bar.js';
import { SessionSheet } from './session-sheet.js';
import { sessionStep, type SessionStep } from './session-steps.js';
import { Legend } from './session-status.js';
import { MonthView } from './month-view.js';
import { PhoneBar } from './phone-bar.js';
import { columnsOf, daysShown, modes, type Mode, type Place } from './place.js';
import { SessionsView } from './sessions-view.js';
import { StudentPartsProvider, type StudentParts } from './student-parts.js';
import { usePlace } from './use-place.js';
import { YearView } from './year-view.js';

/*
 * The calendar has its mode and day in the address (`place.ts`). On a desktop, day and week are grids by minutes
 * (`grid-layout.ts`, without a library): hours without sessions are folded into one row, and sessions outside 06–22 extend the
 * grid. On a phone the day is a list with the free times between sessions (`day-rows.ts`) and the week a grid of three days;
 * both open at the line of the current time, below one bar. Blocked and closed times, and those of another calendar, are read
 * together with the free times and shaded; no start is offered there. Month and year read counts instead of sessions: one `GET
 * /api/v1/sessions/days` each, a year from an index alone. A session over midnight is in both days. Holidays and vacations are
 * named under the title; week hours, exceptions and vacations are edited in sheets that are in the address (`abrir`). Dragging
 * (`use-drag.ts`; on a phone after a long press, which shows the grid) and "Remarcar" in the session's sheet send the same
 * `PATCH`, which can wait in the outbox; if another session is in the way, the user is asked first.
 */

const PastAgenda = lazy(() => whenReachable(() => import('./past-agenda.js')));

/** Those whose sessions can be shown as they were; a year reads counts of today. */
const SHORT_MODES = modes.filter((mode) => mode !== 'ano');

interface AgendaPageProps {
  student: StudentParts;
  NewStudent: QuickForm;
  NewLocation: QuickForm;
  /** The menu of the agenda's settings; with entries before them, it is the phone's menu. */
  Settings: ComponentType<{ children?: ReactNode }>;
  /** What is wrong, above the calendar. */
  notices: ReactNode;
  /** The tasks of the calendar's days. */
  Tasks: DayTasks;
  useTasks: UseTasks;
  /** Holidays and vacations from `from` to `to`, both included. */
  DaysOff: ComponentType<{ from: Day; to: Day }>;
}

/** The agenda: its header, the calendar in one of its modes, and the sheets over it. What it shows is in the address. */
export function AgendaPage({
  student,
  NewStudent,
  NewLocation,
  Settings,
  notices,
  Tasks,
  useTasks,
  DaysOff,
}: AgendaPageProps) {
  const today = useToday();
  const { place, wide, search, change, goTo, step, show, openDay, leaveDay } = usePlace();
  const { mode, day } = place;
  const shown = daysShown(place, wide);
  const columns = useMemo(() => columnsOf({ mode, day }, wide), [mode, day, wide]);

  const open = (id: string) => change({ sessao: id, passo: null });
  const book = (onDay: Day, at?: Time) => change({ novo: 'agendamento', em: onDay, as: at ?? null });
  const reopen = (id: string, step: SessionStep) => {
    // The refusal may come before the way out of this step is rendered.
    const isElsewhere =
      search.has('novo') || (search.get('sessao') ?? id) !== id || (search.get('passo') ?? step) !== step;
    if (!isElsewhere) change({ sessao: id, passo: step });
  };
  const leave = { novo: null, as: null, aluno: null, sessao: null, passo: null };
  // Of a past moment, `em` stays.
  const close = () => change(search.has('novo') ? { ...leave, em: null } : leave, { replace: true });
  const calendar = useFocusAcrossModes(mode);
  const swipe = useSwipe(step);

  const content = useSlide(place, !wide && (mode === 'dia' || mode === 'semana'));

  const sessions = { onOpen: open, onBook: book, onDay: openDay, Tasks, wide };
  const ofColumns = () => <SessionsView days={columns} opens={wide ? 'nearest' : 'start'} {...sessions} />;
  const moves = { place, onMode: (to: Mode) => show({ mode: to }), onStep: step, onDay: goTo };
  const time = useMoment();
  const past = <Past what="Agenda" {...time} />;
  if (time.moment) {
    const asShown: Place = { day, mode: mode === 'ano' ? 'mes' : mode };
    const { from, to } = daysShown(asShown, wide)!;
    return (
      <Page title="Agenda" width="wide">
        {past}
        <CalendarBar {...moves} place={asShown} modes={SHORT_MODES} />
        <Suspense fallback={<Skeletons count={5} height={72} />}>
          <PastAgenda
            // Other days are not shown as these until these are read.
            key={`${from} ${to}`}
            moment={time.moment}
            first={from}
            last={to}
            opened={search.get('sessao')}
            onClose={close}
          />
        </Suspense>
      </Page>
    );
  }
  const view = {
    dia: ofColumns,
    semana: ofColumns,
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
            <SessionsView days={[day]} opens={false} {...sessions} />
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
      <Page title="Agenda" width="wide" bare={!wide} action={<AddThing day={day} />}>
        {past}
        {wide && (
          <div className={classes.views}>
            <AgendaViews />
            <Settings />
          </div>
        )}
        <div ref={calendar} className={classes.calendar} onKeyDown={leavingBy(leaveDay)}>
          {wide ? <CalendarBar {...moves} /> : <PhoneBar {...moves} onOpen={openDay} Settings={Settings} />}
          {notices}
          {shown && <DaysOff {...shown} />}
          <div className={classes.window} {...swipe}>
            <div ref={content} className={classes.content}>
              {view[mode]()}
            </div>
          </div>
        </div>
        <Legend />
        <BookingSheet
          opened={search.get('novo') === 'agendamento'}
          day={parseDate(search.get('em') ?? '') ?? (day < today ? today : day)}
          time={search.get('as')}
          studentId={search.get('aluno')}
          onClose={close}
          NewStudent={NewStudent}
          NewLocation={NewLocation}
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

/** The header's buttons to add a session or a task on a day; on the phone the quick actions do that. */
function AddThing({ day }: { day: Day }) {
  const [search] = useSearchParams();
  const address = (novo: string) =>
    `?${new URLSearchParams({ ...Object.fromEntries(search), novo, em: day }).toString()}`;
  return (
    <>
      <Button component={Link} to={address('tarefa')} size="sm" variant="default">
        Nova tarefa
      </Button>
      <AddLink to={address('agendamento')} thing="agendamento" />
    </>
  );
}

const SLIDE_MS = 160;

/** Slides another day or week in from the side where it lies, unless less motion is wanted. Returns the ref of what slides. */
function useSlide({ mode, day }: Place, isOn: boolean) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<{ mode: string; day: Day }>({ mode, day });
  useLayoutEffect(() => {
    const from = before.current;
    before.current = { mode, day };
    if (!isOn || from.mode !== mode || from.day === day) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    content.current?.animate(
      [{ transform: `translateX(${day > from.day ? '' : '-'}100%)` }, { transform: 'none' }],
      { duration: SLIDE_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
  }, [mode, day, isOn]);
  return content;
}

interface SelectedDayProps {
  day: Day;
  onOpen: (day: Day) => void;
  children: ReactNode;
}

/** The chosen day, shown below the month on the phone. */
function SelectedDay({ day, onOpen, children }: SelectedDayProps) {
  const title = formatDay(day, useToday());
  return (
    <Section
      title={title.charAt(0).toUpperCase() + title.slice(1)}
      action={
        <Button variant="subtle" onClick={() => onOpen(day)}>
          Ver dia
        </Button>
      }
    >
      {children}
    </Section>
  );
}
