import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { BodyForm } from '../../lib/form.js';
import {
  addMinutes,
  formatTime,
  instantOf,
  minutesOf,
  parseDate,
  parseTime,
  timeOf,
  todayIn,
  type Time,
} from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import type { ChoiceField } from '../../ui/choice.js';
import { DateField } from '../../ui/date-field.js';
import { TimeField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { useSessions } from './agenda.queries.js';
import classes from './session-form.module.css';
import { freeHours } from './hours.js';

/** What the fields hold: ids, a calendar date and two wall-clock times of the tenant's zone. */
export interface SessionValues extends Record<string, unknown> {
  student_id: string | null;
  data: string;
  inicio: string;
  fim: string;
  location_id: string | null;
  observacoes: string;
}

/** The part of the body that both booking and editing send. Times that are not yet times are left out. */
export function sessionBody(
  { student_id, data, inicio, fim, location_id, observacoes }: SessionValues,
  zone: string,
) {
  const day = parseDate(data);
  const at = (text: string) => {
    const time = parseTime(text);
    return day && time ? instantOf(day, time, zone) : undefined;
  };
  return {
    student_id: student_id ?? undefined,
    inicio: at(inicio),
    fim: at(fim),
    location_id,
    observacoes: observacoes || null,
  };
}

/** What a booking needs: without it the toast of spec 1, section 5. */
export const isIncomplete = ({ student_id, data, inicio, fim }: SessionValues): boolean =>
  !student_id || !parseDate(data) || !parseTime(inicio) || !parseTime(fim);

interface SessionFieldsProps<Body> {
  form: BodyForm<SessionValues, Body>;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
  /** Between the times and the place. */
  children?: ReactNode;
}

const SESSION_MINUTES = 60;

export function SessionFields<Body>({
  form,
  StudentField,
  LocationField,
  children,
}: SessionFieldsProps<Body>) {
  /** Moving the start keeps the length. */
  const start = (inicio: string) => {
    const [before, after] = [parseTime(form.values.inicio), parseTime(inicio)];
    const end = parseTime(form.values.fim);
    form.setFieldValue('inicio', inicio);
    if (!after || inicio.length < 5) return;
    const length = before && end ? minutesOf(end) - minutesOf(before) : SESSION_MINUTES;
    form.setFieldValue('fim', addMinutes(after, length > 0 ? length : SESSION_MINUTES));
  };

  return (
    <>
      <StudentField label="Aluno" {...form.getInputProps('student_id')} />
      <DateField label="Data" {...form.getInputProps('data')} />
      <FreeTimes day={form.values.data} chosen={form.values.inicio} onChoose={start} />
      <FieldPair>
        <TimeField label="Horário de início" {...form.getInputProps('inicio')} onChange={start} />
        <TimeField label="Horário de término" {...form.getInputProps('fim')} />
      </FieldPair>
      {children}
      <LocationField label="Local" {...form.getInputProps('location_id')} />
      <Textarea label="Observações" autosize minRows={2} maxRows={6} {...form.getInputProps('observacoes')} />
    </>
  );
}

interface FreeTimesProps {
  day: string;
  chosen: Time;
  onChoose: (time: Time) => void;
}

/** The day's free hours, to start at with one tap. */
function FreeTimes({ day: typed, chosen, onChoose }: FreeTimesProps) {
  const zone = useZone();
  const today = todayIn(zone);
  const day = parseDate(typed) ?? today;
  const { data } = useSessions(day, day);
  const free = freeHours(data ?? [], day, zone, day === today ? timeOf(new Date(), zone) : '00:00');
  if (free.length === 0) return null;
  return (
    <div className={classes.times} role="group" aria-label="Horários livres">
      {free.map((time) => (
        <button
          key={time}
          type="button"
          className={classes.time}
          aria-pressed={time === chosen}
          onClick={() => onChoose(time)}
        >
          {formatTime(time)}
        </button>
      ))}
    </div>
  );
}
