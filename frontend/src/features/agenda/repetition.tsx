import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Recurrence } from '../../../../backend/modules/series/series.api.js';
import { dayOf, parseDate, timeOf, weekOf, type Day } from '../../lib/dates.js';
import { DAY_FORM } from '../../lib/messages.js';
import { ChoiceChip, ChoiceChips } from '../../ui/choice-chip.js';
import { DateField } from '../../ui/date-field.js';
import { FieldPair } from '../../ui/form.js';
import { Weekdays } from '../../ui/weekdays.js';

/** The chosen repetition of a booking. */
export interface Repetition {
  every: '0' | '1' | '2';
  /** Days of the week, 0 is Sunday; null: the weekday of the booking. */
  days: readonly number[] | null;
  end: 'sem-fim' | 'ate' | 'vezes';
  until: string;
  times: string;
}

export const once: Repetition = { every: '0', days: null, end: 'sem-fim', until: '', times: '10' };

const weekdayOf = (day: Day): number => weekOf(day).indexOf(day);

/** Errors by field. */
export function repetitionErrors({ end, until, times }: Repetition): { until?: string; times?: string } {
  if (end === 'ate' && parseDate(until) === null)
    return { until: until.trim() ? DAY_FORM : 'Informe a data do fim' };
  if (end === 'vezes' && !/^[1-9]\d{0,2}$/.test(times.trim())) return { times: 'Informe quantas vezes' };
  return {};
}

/** The recurrence, from the first session's times. */
export function recurrenceOf(
  { every, days, end, until, times }: Repetition,
  { inicio, fim }: { inicio: string; fim: string },
  zone: string,
): Recurrence {
  const data = dayOf(inicio, zone);
  const ends = {
    ate: end === 'ate' ? parseDate(until) : null,
    vezes: end === 'vezes' ? Number(times) : null,
  };
  return {
    data,
    hora: timeOf(inicio, zone),
    duracao: (Date.parse(fim) - Date.parse(inicio)) / 60_000,
    dias: [...(days ?? [weekdayOf(data)])],
    intervalo: Number(every),
    ...(ends.ate && { ate: ends.ate }),
    ...(ends.vezes && { vezes: ends.vezes }),
  };
}

const repetitions = { 0: 'Não se repete', 1: 'Toda semana', 2: 'A cada 2 semanas' };

interface RepetitionFieldsProps {
  /** Text of the field. */
  day: string;
  value: Repetition;
  errors: ReturnType<typeof repetitionErrors>;
  onChange: (value: Repetition) => void;
}

/** Fields for the repetition of a booking: days and end. */
export function RepetitionFields({ day, value, errors, onChange }: RepetitionFieldsProps) {
  const own = weekdayOf(parseDate(day) ?? '');
  const days = value.days ?? (own >= 0 ? [own] : []);
  const [isLeft, setLeft] = useState(false);
  // An invalid day shows an error when its field is left; a missing one only when the form is sent.
  const { until } = isLeft && value.until.trim() ? repetitionErrors(value) : errors;
  const change = (part: Partial<Repetition>) => onChange({ ...value, ...part });
  return (
    <>
      <ChoiceChips label="Repetição">
        {(['0', '1', '2'] as const).map((every) => (
          <ChoiceChip key={every} aria-pressed={value.every === every} onClick={() => change({ every })}>
            {repetitions[every]}
          </ChoiceChip>
        ))}
      </ChoiceChips>
      {value.every !== '0' && (
        <>
          <Weekdays days={days} onChange={(chosen) => change({ days: chosen })} />
          <FieldPair>
            <NativeSelect
              label="Termina"
              data={[
                { value: 'sem-fim', label: 'Sem fim' },
                { value: 'ate', label: 'Em uma data' },
                { value: 'vezes', label: 'Depois de' },
              ]}
              value={value.end}
              onChange={(event) => change({ end: event.currentTarget.value as Repetition['end'] })}
            />
            {value.end === 'ate' && (
              <DateField
                label="Até"
                value={value.until}
                onChange={(typed) => {
                  setLeft(false);
                  change({ until: typed });
                }}
                onBlur={() => setLeft(true)}
                error={until}
              />
            )}
            {value.end === 'vezes' && (
              <TextInput
                label="Vezes"
                inputMode="numeric"
                value={value.times}
                onChange={(event) => change({ times: event.currentTarget.value })}
                error={errors.times}
              />
            )}
          </FieldPair>
        </>
      )}
    </>
  );
}
