import { Button, NativeSelect } from '@mantine/core';
import { startTransition, useRef, type ReactNode } from 'react';
import { wrongLength } from '../../../../backend/modules/sessions/sessions.api.js';
import { calendarDate } from '../../../../backend/platform/http/common.api.js';
import type { BodyForm } from '../../lib/form.js';
import {
  addDays,
  addMinutes,
  formatTime,
  instantOf,
  minutesOf,
  parseDate,
  parseTime,
  type Day,
  type Time,
} from '../../lib/dates.js';
import { DAY_FORM, TIME_FORM } from '../../lib/messages.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { useLocationChoices } from '../../parts/location-choices.js';
import type { ChoiceFieldProps } from '../../ui/choice.js';
import { DateField } from '../../ui/date-field.js';
import { FieldPair } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Quiet } from '../../ui/quiet.js';
import { TimeField } from '../../ui/time-field.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './session-form.module.css';
import { useShut } from './free-times.queries.js';
import { freeHours } from './hours.js';

/** Values of the fields: an id, a date, and two times in the tenant's zone. */
export interface SessionValues extends Record<string, unknown> {
  data: string;
  inicio: string;
  fim: string;
  location_id: string | null;
  observacoes: string;
}

/** Errors of the fields for day and times. */
export function sessionErrors({
  data,
  inicio,
  fim,
}: SessionValues): Partial<Record<keyof SessionValues, string>> {
  const found = [
    ['data', parseDate(data) === null ? DAY_FORM : outOfRange(data)],
    ['inicio', parseTime(inicio) === null ? TIME_FORM : undefined],
    ['fim', parseTime(fim) === null ? TIME_FORM : wrongEnd(inicio, fim)],
  ].filter(([, error]) => error !== undefined);
  return Object.fromEntries(found) as Partial<Record<keyof SessionValues, string>>;
}

/** The server refuses it too, but a series is shown before it is sent. */
function wrongEnd(inicio: string, fim: string): string | undefined {
  const [start, end] = [parseTime(inicio), parseTime(fim)];
  if (!start || !end || endsNextDay(start, end)) return undefined;
  return wrongLength(minutesOf(end) - minutesOf(start));
}

/** Whether a session passes midnight: by an end that is before its start, but not longer after it than a session may last. */
function endsNextDay(start: Time, end: Time): boolean {
  const minutes = minutesOf(end) - minutesOf(start);
  return minutes <= 0 && wrongLength(minutes + 24 * 60) === undefined;
}

function outOfRange(text: string): string | undefined {
  return calendarDate.safeParse(parseDate(text)).error?.issues[0]?.message;
}

/** Placeholder for an invalid day, so that the times are validated all the same; the field of the day shows its own error. */
const ANY_DAY: Day = '2026-01-01';

/** The part of the body that booking and editing have in common. Invalid times are left out. */
export function sessionBody({ data, inicio, fim, location_id, observacoes }: SessionValues, zone: string) {
  const day = outOfRange(data) === undefined ? parseDate(data)! : ANY_DAY;
  const [start, end] = [parseTime(inicio), parseTime(fim)];
  const endDay = start && end && endsNextDay(start, end) ? addDays(day, 1) : day;
  return {
    inicio: start ? instantOf(day, start, zone) : undefined,
    fim: end ? instantOf(endDay, end, zone) : undefined,
    location_id,
    observacoes: observacoes || null,
  };
}

/** The toast of spec 1, section 5, for a booking that lacks one of them. */
export const INCOMPLETE = 'Preencha aluno, data e horários.';

interface SessionFieldsProps<Values, Body> {
  form: BodyForm<Values, Body>;
  /** The field for the student. */
  student: ReactNode;
  /** Opens the form for a new location. */
  onNewLocation?: () => void;
  /** It is held online, and has no location. */
  isOnline: boolean;
  /** Shown between times and location. */
  children?: ReactNode;
}

interface TimeFieldsProps<Values, Body> {
  form: BodyForm<Values, Body>;
}

/** The form with the type of only its time fields, which every such form has. */
const timesOf = <Values extends SessionValues, Body>(form: BodyForm<Values, Body>) =>
  form as unknown as BodyForm<SessionValues, Body>;

const SESSION_MINUTES = 60;
const LAST_MINUTE: Time = '23:59';

/** The day and the times of a session. */
export function SessionTimeFields<Values extends SessionValues, Body>({
  form: of,
}: TimeFieldsProps<Values, Body>) {
  const form = timesOf(of);
  /** The last valid start, from which the session's length is computed while another start is being typed. */
  const startedAt = useRef(parseTime(form.values.inicio));
  const length = useRef(SESSION_MINUTES);

  /** Moving the start keeps the length. */
  const start = (inicio: string) => {
    // What is shown may have changed otherwise, as where a draft is discarded.
    const before = parseTime(form.values.inicio);
    if (before && form.values.inicio.length >= before.length) startedAt.current = before;
    form.setFieldValue('inicio', inicio);
    const after = parseTime(inicio);
    // A shorter text may still be incomplete.
    if (!after || inicio.length < after.length) return;
    const end = parseTime(form.values.fim);
    const shown = startedAt.current && end ? minutesOf(end) - minutesOf(startedAt.current) : 0;
    // A session that would run past midnight ends with the day, but keeps its length for an earlier start.
    if (shown > 0 && end !== LAST_MINUTE) length.current = shown;
    startedAt.current = after;
    form.setFieldValue('fim', addMinutes(after, length.current));
  };

  return (
    <>
      <DateField label="Data" {...form.getInputProps('data')} />
      <FreeTimes
        day={form.values.data}
        place={form.values.location_id}
        chosen={form.values.inicio}
        onChoose={start}
      />
      <Lengths form={form} />
      <FieldPair>
        <TimeField label="Horário de início" {...form.getInputProps('inicio')} onChange={start} />
        <TimeField label="Horário de término" {...form.getInputProps('fim')} />
      </FieldPair>
    </>
  );
}

const LENGTHS = [30, 45, 60, 90];

/** Buttons for the session's length. */
function Lengths<Body>({ form }: { form: BodyForm<SessionValues, Body> }) {
  const [start, end] = [parseTime(form.values.inicio), parseTime(form.values.fim)];
  const length = start && end ? minutesOf(end) - minutesOf(start) : null;
  return (
    <div className={classes.times} role="group" aria-label="Duração">
      {LENGTHS.map((minutes) => (
        <button
          key={minutes}
          type="button"
          className={classes.time}
          disabled={!start}
          aria-pressed={minutes === length}
          onClick={() => {
            if (start) form.setFieldValue('fim', addMinutes(start, minutes));
          }}
        >
          {minutes} min
        </button>
      ))}
    </div>
  );
}

export function SessionFields<Values extends SessionValues, Body>({
  form,
  student,
  onNewLocation,
  isOnline,
  children,
}: SessionFieldsProps<Values, Body>) {
  return (
    <>
      {student}
      <SessionTimeFields form={form} />
      {children}
      {!isOnline && (
        <LocationField
          label="Local"
          {...(onNewLocation && { onNew: onNewLocation })}
          {...form.getInputProps('location_id')}
        />
      )}
      <LongTextField label="Observações" {...form.getInputProps('observacoes')} />
    </>
  );
}

interface FreeTimesProps {
  day: string;
  place: string | null;
  chosen: Time;
  onChoose: (time: Time) => void;
}

/** Scrolls the row of buttons, and not the form around it, to one of them. */
function bringIntoSight(button: HTMLElement | null) {
  const row = button?.parentElement;
  if (row) row.scrollLeft += button.getBoundingClientRect().left - row.getBoundingClientRect().left - 48;
}

/** Buttons for the day's free hours. */
function FreeTimes({ day: typed, place, chosen, onChoose }: FreeTimesProps) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const day = parseDate(typed);
  const { data } = useWeekOf(day ?? today);
  const shut = useShut(day ?? today, place);
  const free = day ? freeHours(data ?? [], day, zone, day === today ? now : '00:00', shut) : [];
  if (free.length === 0) return day && <Quiet>Nenhum horário livre neste dia.</Quiet>;
  return (
    <div className={classes.times} role="group" aria-label="Horários livres">
      {free.map((time) => (
        <button
          key={time}
          type="button"
          className={classes.time}
          aria-pressed={time === chosen}
          ref={time === chosen ? bringIntoSight : undefined}
          onClick={() => startTransition(() => onChoose(time))}
        >
          {formatTime(time)}
        </button>
      ))}
    </div>
  );
}

/** Chooses a location. An inactive one is offered only while it is the choice. */
function LocationField({ value, onChange, onNew, ...props }: ChoiceFieldProps) {
  const { data } = useLocationChoices();
  const locations = (data?.items ?? []).filter((location) => location.is_active || location.id === value);
  return (
    <div className={classes.location}>
      <NativeSelect
        {...props}
        flex={1}
        miw={0}
        value={value ?? ''}
        onChange={(event) => onChange?.(event.currentTarget.value || null)}
        data={[
          { value: '', label: 'Sem local' },
          ...locations.map(({ id, nome }) => ({ value: id, label: nome })),
        ]}
      />
      {onNew && (
        <Button
          variant="default"
          flex="none"
          onClick={() => onNew('')}
          aria-label="Cadastrar local"
          leftSection={<Icon name="plus" size={18} />}
        >
          Novo
        </Button>
      )}
    </div>
  );
}
