import { ActionIcon, Button, Switch, VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useRef, useState } from 'react';
import {
  newWeek,
  newWeekRow,
  type Availability,
  type NewWeek,
  type WeekRow,
} from '../../../../backend/modules/availability/availability.api.js';
import { useSend } from '../../lib/command.js';
import { type BodyForm, useBodyForm } from '../../lib/form.js';
import { codeOf, messageOf } from '../../lib/problem.js';
import { ChoiceChip, ChoiceChips } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { SheetForm } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { TimeField } from '../../ui/time-field.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useAvailability } from './availability.queries.js';
import classes from './availability.module.css';
import { clockOf } from './clock.js';
import { Exceptions } from './exceptions.js';
import { allDays, countedWeek, hoursOf, isTyped, sameHours, weekdays } from './week.js';

/** Monday to Friday. */
const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5];

const TIMES = ['start_time', 'end_time'] as const;
const LUNCH = { start_time: '12:00', end_time: '13:00' };
const NO_TIMES = { start_time: '', end_time: '' };

export default function WeekPanel({ onDone }: { onDone: () => void }) {
  const availability = useAvailability();
  return (
    <Async of={availability} skeleton={<Skeletons count={7} height={52} />}>
      {(known) => (
        <div className={classes.panel}>
          {/* After a change in another window the form restarts, because edits of the old version would be refused. */}
          <WeekForm key={known.versao} known={known} onDone={onDone} />
          <Exceptions exceptions={known.excecoes} week={countedWeek(known.horarios)} />
        </div>
      )}
    </Async>
  );
}

const clocked = (row: WeekRow): WeekRow => ({
  ...row,
  start_time: clockOf(row.start_time),
  end_time: clockOf(row.end_time),
});

function WeekForm({ known: { horarios, versao }, onDone }: { known: Availability; onDone: () => void }) {
  const { mutateAsync } = useSend('PUT /availability');
  const [opened, setOpened] = useState<number | null>(null);
  /** The hours of days that were switched off, in case they are switched on again. */
  const former = useRef(new Map<number, WeekRow[]>());
  const form = useBodyForm({
    initialValues: { horarios: countedWeek(horarios) },
    schema: newWeek,
    toBody: ({ horarios: rows }) => ({ horarios: rows.map(clocked), versao }),
    check: ({ horarios: rows }) => ({
      horarios: rows.some(({ is_blocked }) => !is_blocked)
        ? null
        : 'Deixe pelo menos um dia aberto. Para parar por um tempo, use o Modo Férias.',
    }),
    // What was typed over another version would be refused.
    draft: `horarios.${versao}`,
  });

  const save = async (week: NewWeek) => {
    const saved = await mutateAsync(week);
    onDone();
    toast.success('Horários salvos', {
      description: 'Suas configurações foram atualizadas com sucesso.',
      ...takenBack(() => mutateAsync({ horarios, versao: saved.versao })),
    });
  };

  const rows = form.values.horarios;
  const ofDay = (day: number) => rows.filter(({ day_of_week }) => day_of_week === day);
  const setDays = (days: readonly number[], hours: readonly WeekRow[]) => {
    form.setFieldValue('horarios', [
      ...rows.filter(({ day_of_week }) => !days.includes(day_of_week)),
      ...days.flatMap((day_of_week) => hours.map((row) => ({ ...row, day_of_week }))),
    ]);
    // The rows have other places now.
    form.clearErrors();
  };
  /** The first day with an error, which opens. */
  const wrong = rows.find((_, at) =>
    TIMES.some((field) => Boolean(form.errors[`horarios.${at}.${field}`])),
  )?.day_of_week;
  const turn = (day: number, on: boolean) => {
    if (!on) {
      former.current.set(day, ofDay(day));
      setDays([day], []);
      if (opened === day) setOpened(null);
      return;
    }
    setDays([day], former.current.get(day) ?? [newWeekRow]);
    setOpened(day);
  };

  return (
    <SheetForm
      form={form}
      save={save}
      failure="Erro ao salvar"
      says={(error) => (codeOf(error) === 'availability.changed' ? messageOf(error) : undefined)}
      submit="Salvar"
    >
      <ul className={classes.week}>
        {allDays.map((day) => (
          <Day
            key={day}
            day={day}
            form={form}
            isOpened={opened === day || wrong === day}
            onOpen={() => setOpened(opened === day ? null : day)}
            onTurn={(on) => turn(day, on)}
            onCopy={(days) => setDays(days, ofDay(day).filter(isTyped))}
          />
        ))}
      </ul>
      {form.errors.horarios && (
        <p className={classes.failed} role="alert">
          {form.errors.horarios}
        </p>
      )}
    </SheetForm>
  );
}

interface DayProps {
  day: number;
  form: BodyForm<{ horarios: WeekRow[] }, NewWeek>;
  isOpened: boolean;
  onOpen: () => void;
  onTurn: (on: boolean) => void;
  /** Gives other days the hours of this one. */
  onCopy: (days: number[]) => void;
}

/** A day in one line, which a tap opens for editing in place. */
function Day({ day, form, isOpened, onOpen, onTurn, onCopy }: DayProps) {
  const name = weekdays[day]!;
  const rows = form.values.horarios
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => row.day_of_week === day);
  const hours = hoursOf(rows.map(({ row }) => clocked(row)));
  const wrong = rows.flatMap(({ at }) => TIMES.map((field) => form.errors[`horarios.${at}.${field}`]));
  const hasPause = rows.some(({ row }) => row.is_blocked);
  const error = isOpened ? undefined : wrong.find(Boolean);
  return (
    <li className={classes.day}>
      <div className={classes.line}>
        {hours === null ? (
          <span className={classes.hours}>
            <Words name={name} hours="Fechado" isClosed />
          </span>
        ) : (
          <button type="button" className={classes.hours} aria-expanded={isOpened} onClick={onOpen}>
            <Words name={name} hours={hours} />
            <Icon name="down" size={18} className={classes.chevron} />
          </button>
        )}
        <Switch
          aria-label={`${name}: atende`}
          checked={hours !== null}
          onChange={(event) => onTurn(event.currentTarget.checked)}
        />
      </div>
      {error && (
        <p className={classes.failed} role="alert">
          {error}
        </p>
      )}
      {isOpened && (
        <div className={classes.editor}>
          {rows.map(({ row, at }) => (
            <Stretch
              key={at}
              form={form}
              at={at}
              isPause={row.is_blocked}
              canGo={row.is_blocked || rows.filter((other) => !other.row.is_blocked).length > 1}
            />
          ))}
          <div className={classes.more}>
            <Add form={form} row={{ day_of_week: day, ...(hasPause ? NO_TIMES : LUNCH), is_blocked: true }}>
              Pausa
            </Add>
            <Add form={form} row={{ day_of_week: day, ...NO_TIMES, is_blocked: false }}>
              Outro horário
            </Add>
          </div>
          <span className={classes.caption}>Copiar para…</span>
          <CopyChips day={day} rows={form.values.horarios} onCopy={onCopy} />
        </div>
      )}
    </li>
  );
}

function Words({ name, hours, isClosed = false }: { name: string; hours: string; isClosed?: boolean }) {
  return (
    <>
      <span className={classes.name}>
        <span aria-hidden>{name.slice(0, 3)}</span>
        <VisuallyHidden>{name}</VisuallyHidden>
      </span>
      <span className={classes.times} data-closed={isClosed || undefined}>
        {hours}
      </span>
    </>
  );
}

interface StretchProps {
  form: DayProps['form'];
  at: number;
  isPause: boolean;
  /** False for the only open hours of a day, which its switch closes. */
  canGo: boolean;
}

function Stretch({ form, at, isPause, canGo }: StretchProps) {
  return (
    <div className={classes.stretch}>
      <TimeField
        label={isPause ? 'Início da pausa' : 'Início'}
        {...form.getInputProps(`horarios.${at}.start_time`)}
      />
      <TimeField
        label={isPause ? 'Término da pausa' : 'Término'}
        {...form.getInputProps(`horarios.${at}.end_time`)}
      />
      {canGo && (
        <ActionIcon
          className={classes.remove}
          aria-label={isPause ? 'Remover pausa' : 'Remover horário'}
          onClick={() => form.removeListItem('horarios', at)}
        >
          <Icon name="trash" />
        </ActionIcon>
      )}
    </div>
  );
}

function Add({ form, row, children }: { form: DayProps['form']; row: WeekRow; children: string }) {
  return (
    <Button
      size="sm"
      variant="subtle"
      leftSection={<Icon name="plus" size={18} />}
      onClick={() => form.insertListItem('horarios', row)}
    >
      {children}
    </Button>
  );
}

/** One tap gives a day the same hours; the pressed ones have them. */
function CopyChips({ day, rows, onCopy }: Pick<DayProps, 'day' | 'onCopy'> & { rows: readonly WeekRow[] }) {
  const of = (wanted: number) => rows.filter(({ day_of_week }) => day_of_week === wanted).map(clocked);
  const has = (days: readonly number[]) => days.every((each) => sameHours(of(each), of(day)));
  const chip = (label: string, days: number[], full?: string) => (
    <ChoiceChip key={label} aria-label={full} aria-pressed={has(days)} onClick={() => onCopy(days)}>
      {label}
    </ChoiceChip>
  );
  const workdays = WORKDAYS.filter((each) => each !== day);
  return (
    <ChoiceChips label={`Copiar ${weekdays[day]} para`}>
      {chip('Dias úteis', workdays)}
      {allDays
        .filter((each) => each !== day)
        .map((each) => chip(weekdays[each]!.slice(0, 3), [each], weekdays[each]))}
    </ChoiceChips>
  );
}
