import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ChoiceField } from '../../ui/choice.js';
import {
  addDays,
  formatDay,
  formatDate,
  formatLongDay,
  parseDate,
  startOfWeek,
  weekOf,
  type Day,
} from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { AddLink } from '../../ui/add-link.js';
import { Icon } from '../../ui/icon.js';
import { Page } from '../../ui/page.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './agenda-page.module.css';
import { BookingSheet, type Names } from './booking-sheet.js';
import { DayView } from './day-view.js';
import type { GridActions } from './day-grid.js';
import { MoveForm } from './move-form.js';
import { SessionSheet } from './session-sheet.js';
import { Legend } from './session-status.js';
import { useDrop } from './use-drop.js';
import { WeekStrip } from './week-strip.js';
import { WeekView } from './week-view.js';

type Mode = 'dia' | 'semana';

interface AgendaPageProps {
  /** What other features give to the forms and details here. */
  StudentField: ChoiceField;
  LocationField: ChoiceField;
  names: Names;
  history: (sessionId: string) => ReactNode;
}

/** The calendar. Mode, day and the open sheet are in the address: they survive a reload, and "back" closes a sheet. */
export function AgendaPage({ StudentField, LocationField, names, history }: AgendaPageProps) {
  const today = useToday();
  const wide = useMediaQuery('(min-width: 64em)', false, { getInitialValueInEffect: false });
  const [search, setSearch] = useSearchParams();
  const day = parseDate(search.get('dia') ?? '') ?? today;
  const wanted = search.get('modo');
  const mode: Mode = wanted === 'dia' || wanted === 'semana' ? wanted : wide ? 'semana' : 'dia';

  const week = useMemo(() => weekOf(day), [day]);
  const sessions = useWeekOf(day);
  const drop = useDrop(sessions.data ?? []);

  const change = (values: Record<string, string | null>, replace = false) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace, preventScrollReset: true },
    );
  const goTo = (target: Day) => change({ dia: target === today ? null : target }, true);
  const step = mode === 'dia' ? 1 : 7;
  const open = (id: string) => change({ sessao: id });
  const book = (onDay: Day, at?: string) => change({ novo: 'agendamento', em: onDay, as: at ?? null });
  const reopen = (id: string) => {
    if (!search.has('novo') && !search.has('sessao')) open(id);
  };
  const onMove: GridActions['onMove'] = (...dropped) => void drop.move(...dropped);
  const actions = {
    onOpen: open,
    onBook: book,
    onMove,
    onDay: (on: Day) => change({ modo: 'dia', dia: on }),
  };
  const close = () => change({ novo: null, em: null, as: null, sessao: null }, true);

  return (
    <Page
      title="Agenda"
      width="wide"
      action={
        <AddLink
          to={`?${new URLSearchParams({ ...Object.fromEntries(search), novo: 'agendamento', em: day }).toString()}`}
          thing="agendamento"
        />
      }
    >
      <div className={classes.toolbar}>
        <SegmentedControl
          aria-label="Visualização"
          value={mode}
          onChange={(value) => change({ modo: value }, true)}
          data={[
            { value: 'dia', label: 'Dia' },
            { value: 'semana', label: 'Semana' },
          ]}
        />
        <div className={classes.moves}>
          <ActionIcon
            aria-label={mode === 'dia' ? 'Dia anterior' : 'Semana anterior'}
            onClick={() => goTo(addDays(day, -step))}
          >
            <Icon name="left" />
          </ActionIcon>
          <Button size="sm" variant="default" onClick={() => goTo(today)}>
            Hoje
          </Button>
          <ActionIcon
            aria-label={mode === 'dia' ? 'Próximo dia' : 'Próxima semana'}
            onClick={() => goTo(addDays(day, step))}
          >
            <Icon name="right" />
          </ActionIcon>
        </div>
      </div>
      <h2 className={classes.period} title={mode === 'dia' ? formatLongDay(day) : undefined}>
        {mode === 'dia' ? formatDay(day, today) : weekLabel(day, today)}
        {mode === 'dia' && <span className={classes.date}>{formatDate(day)}</span>}
      </h2>
      {mode === 'dia' && <WeekStrip week={week} day={day} sessions={sessions.data ?? []} onChoose={goTo} />}
      <Async of={sessions} skeleton={<Skeletons count={5} height={72} />}>
        {(items) =>
          mode === 'dia' ? (
            <DayView day={day} sessions={items} {...actions} />
          ) : (
            <WeekView week={week} sessions={items} {...actions} />
          )
        }
      </Async>
      <Legend />
      <BookingSheet
        opened={search.get('novo') === 'agendamento'}
        day={parseDate(search.get('em') ?? '') ?? (day < today ? today : day)}
        time={search.get('as')}
        onClose={close}
        StudentField={StudentField}
        LocationField={LocationField}
        names={names}
      />
      <SessionSheet
        sessionId={search.get('sessao')}
        onClose={close}
        onReturn={reopen}
        StudentField={StudentField}
        LocationField={LocationField}
        history={history}
      />
      <Sheet opened={drop.refused !== null} onClose={drop.leave} title="Mover sessão">
        {drop.refused && <MoveForm {...drop.refused} onDone={drop.leave} onBack={drop.leave} />}
      </Sheet>
    </Page>
  );
}

function weekLabel(day: Day, today: Day): string {
  const first = startOfWeek(day);
  if (first === startOfWeek(today)) return 'Esta semana';
  return `${formatDate(first).slice(0, 5)} a ${formatDate(addDays(first, 6))}`;
}
