import { Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { lazy, Suspense, useState } from 'react';
import {
  exceptionRows,
  type DateException,
  type DayRow,
  type ExceptionRows,
  type WeekRow,
} from '../../../../backend/modules/availability/availability.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { formatDay, formatTime, weekdayOf, type Day } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Skeletons } from '../../ui/states.js';
import { TimeField } from '../../ui/time-field.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useSaveException } from './availability.queries.js';
import classes from './availability.module.css';
import { clockOf } from './clock.js';
import { hoursOf } from './week.js';

const Calendar = lazy(() => whenReachable(() => import('../../ui/calendar.js')));

const WHOLE_DAY: DayRow = { start_time: '00:00', end_time: '24:00', is_blocked: true };

const isWholeDay = ({ start_time, end_time, is_blocked }: DayRow) =>
  is_blocked && start_time === WHOLE_DAY.start_time && end_time === WHOLE_DAY.end_time;

const stretch = (row: DayRow) =>
  isWholeDay(row)
    ? 'Fechado o dia todo'
    : `${row.is_blocked ? 'Bloqueado' : 'Aberto'} das ${formatTime(row.start_time)} às ${formatTime(row.end_time)}`;

interface ExceptionsProps {
  exceptions: readonly DateException[];
  /** The week as it counts. */
  week: readonly WeekRow[];
}

/** Exceptions from the week by date, such as an open Saturday or a closed afternoon: tap the day in the calendar. */
export function Exceptions({ exceptions, week }: ExceptionsProps) {
  const today = useToday();
  const save = useSaveException();
  const [day, setDay] = useState<Day | null>(null);
  const remove = ({ data, horarios }: DateException) =>
    attempt(async () => {
      await save.mutateAsync({ data, horarios: [], se_ainda: horarios });
      toast.success(
        'Exceção removida',
        takenBack(() => save.mutateAsync({ data, horarios, se_ainda: [] }), 'Remoção desfeita'),
      );
    }, 'Erro ao remover');

  return (
    <Section title="Exceções por data">
      <Suspense fallback={<Skeletons count={1} height={340} />}>
        <Calendar
          value={day}
          onChange={setDay}
          min={today}
          marked={{ days: new Set(exceptions.map(({ data }) => data)), meaning: 'com exceção' }}
        />
      </Suspense>
      {day ? (
        <NewException
          key={day}
          day={day}
          rows={exceptions.find(({ data }) => data === day)?.horarios ?? []}
          usual={hoursOf(week.filter(({ day_of_week }) => day_of_week === weekdayOf(day)))}
        />
      ) : (
        <Quiet>Toque em um dia para abrir ou fechar fora do normal.</Quiet>
      )}
      {exceptions.length > 0 && (
        <Card flush>
          {exceptions.map((exception) => (
            <Row
              key={exception.data}
              title={formatDay(exception.data, today)}
              facts={exception.horarios.map(stretch).join(' · ')}
              actions={
                <Button size="sm" variant="subtle" onClick={() => void remove(exception)}>
                  Remover
                </Button>
              }
            />
          ))}
        </Card>
      )}
    </Section>
  );
}

interface NewExceptionProps {
  day: Day;
  /** The day's exceptions so far. */
  rows: readonly DayRow[];
  /** The hours of this day in other weeks; null: closed. */
  usual: string | null;
}

function NewException({ day, rows, usual }: NewExceptionProps) {
  const { mutateAsync, isPending } = useSaveException();
  const today = useToday();
  const form = useBodyForm({
    initialValues:
      usual === null
        ? { inicio: '08:00', fim: '12:00', tipo: 'aberto' }
        : { inicio: '12:00', fim: '18:00', tipo: 'bloqueado' },
    schema: exceptionRows,
    toBody: ({ inicio, fim, tipo }) => ({
      horarios: [
        ...rows,
        { start_time: clockOf(inicio), end_time: clockOf(fim), is_blocked: tipo === 'bloqueado' },
      ],
    }),
    draft: `excecao.${day}`,
  });
  /** The schema's error for the new row, which is the last. */
  const wrong = (field: keyof DayRow) => form.errors[`horarios.${rows.length}.${field}`];

  const send = async ({ horarios }: ExceptionRows) => {
    await mutateAsync({ data: day, horarios, se_ainda: [...rows] });
    form.discard();
    toast.success('Exceção salva', {
      description: formatDay(day, today),
      ...takenBack(
        () => mutateAsync({ data: day, horarios: [...rows], se_ainda: horarios }),
        'Exceção desfeita',
      ),
    });
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save: send, failure: 'Erro ao salvar' })}>
      <p className={classes.usual}>
        <strong>{formatDay(day, today)}</strong>
        <span>{usual === null ? 'normalmente fechado' : `normalmente ${usual}`}</span>
      </p>
      {usual !== null && !rows.some(isWholeDay) && (
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => void attempt(() => send({ horarios: [WHOLE_DAY] }), 'Erro ao salvar')}
        >
          Fechar o dia todo
        </Button>
      )}
      <SegmentedControl
        aria-label="Nesta data"
        data={[
          { value: 'aberto', label: 'Aberto' },
          { value: 'bloqueado', label: 'Bloqueado' },
        ]}
        {...form.getInputProps('tipo')}
      />
      <FieldPair>
        <TimeField label="Início" {...form.getInputProps('inicio')} error={wrong('start_time')} />
        <TimeField label="Término" {...form.getInputProps('fim')} error={wrong('end_time')} />
      </FieldPair>
      <Button type="submit" variant="default" loading={form.submitting}>
        Adicionar exceção
      </Button>
    </FormStack>
  );
}
