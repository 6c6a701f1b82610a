import type { FreePeriod } from '../../../../backend/modules/availability/availability.api.js';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import {
  addMinutes,
  dayOf,
  formatDay,
  formatTime,
  minutesOf,
  parseDate,
  parseTime,
  timeOf,
  type Day,
  type Time,
} from '../../lib/dates.js';
import type { BodyForm } from '../../lib/form.js';
import { isTimeRefusal, messageOf, type ProblemError } from '../../lib/problem.js';
import { refresh } from '../../lib/topics.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './conflict.module.css';
import { nearestFreeTimes } from './hours.js';
import type { SessionValues } from './session-form.js';

/** A body that can say that the time may be shared. */
interface Sharable {
  permitir_conflito?: boolean | undefined;
}

interface SendingOptions<Body> {
  send: (body: Body) => Promise<void>;
  /** Title of the toast for any other refusal. */
  failure: string;
  /** Why the times that the form begins with cannot be had, where that is known. */
  conflict?: TimeConflict | undefined;
}

/** Why times cannot be had, and those that could be had instead, where the server named them. */
export interface TimeConflict {
  message: string;
  free: readonly FreePeriod[];
}

/** What a refused time is answered with. */
export const conflictOf = (error: ProblemError): TimeConflict => ({
  message: messageOf(error),
  free: error.free,
});

interface SessionSending {
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  submitAnyway: () => void;
  /** Why the times in the form cannot be had; null as soon as others are chosen. */
  conflict: TimeConflict | null;
}

const timesOf = ({ data, inicio, fim }: SessionValues) => [data, inicio, fim].join();

/** Sends a session's form. A time that is taken is not an error: the form then offers another time, or to share this one. */
export function useSessionSending<Values extends SessionValues, Body extends Sharable>(
  form: BodyForm<Values, Body>,
  { send, failure, conflict }: SendingOptions<Body>,
): SessionSending {
  const client = useQueryClient();
  const [refused, setRefused] = useState(
    conflict === undefined ? null : { times: timesOf(form.values), ...conflict },
  );
  const takes = (error: unknown) => {
    if (!isTimeRefusal(error)) return false;
    setRefused({ times: timesOf(form.getValues()), ...conflictOf(error) });
    // The overlapping session may not be loaded yet.
    void refresh(client, ['sessions']);
    return true;
  };
  const submitAnyway = submitting(form, {
    save: (body) => send({ ...body, permitir_conflito: true }),
    failure,
  });
  return {
    submit: submitting(form, { save: send, failure, takes }),
    submitAnyway: () => submitAnyway(),
    conflict: refused?.times === timesOf(form.values) ? refused : null,
  };
}

interface ConflictProps<Values, Body> {
  form: BodyForm<Values, Body>;
  sending: SessionSending;
  /** The session that is edited: it is not in its own way. */
  except?: string;
  /** What sharing the time is called. */
  anyway: string;
}

/** A time that cannot be had: why, the nearest free times, and having it all the same. */
export function Conflict<Values extends SessionValues, Body>({
  form,
  sending: { conflict, submit, submitAnyway },
  except,
  anyway,
}: ConflictProps<Values, Body>) {
  const today = useToday();
  const [nearest, ...others] = useFreeTimes(form.values, conflict, except);

  const use = ({ day, start, end }: FreeTime) => {
    form.setValues({ data: day, inicio: start, fim: end } as unknown as Partial<Values>);
    submit();
  };
  const label = ({ day, start }: FreeTime) =>
    day === parseDate(form.values.data)
      ? formatTime(start)
      : `${formatDay(day, today)}, ${formatTime(start)}`;

  return (
    <div className={classes.conflict}>
      <p role="alert">
        <Icon name="alert" size={18} />
        {conflict?.message}
      </p>
      <div className={classes.buttons}>
        <Button variant="subtle" loading={form.submitting} onClick={submitAnyway}>
          {anyway}
        </Button>
        {others.length > 0 && (
          <div className={classes.others}>
            {others.map((time) => (
              <Button
                key={`${time.day} ${time.start}`}
                variant="default"
                loading={form.submitting}
                onClick={() => use(time)}
              >
                {label(time)}
              </Button>
            ))}
          </div>
        )}
        {nearest && (
          <Button loading={form.submitting} onClick={() => use(nearest)}>
            Usar {label(nearest)}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FreeTime {
  day: Day;
  start: Time;
  end: Time;
}

/** Named by the server, or where it was not asked, those of the day as far as the calendar knows. */
function useFreeTimes(
  { data, inicio, fim }: SessionValues,
  refused: TimeConflict | null,
  own: string | undefined,
): FreeTime[] {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const day = parseDate(data) ?? today;
  const { data: sessions = [] } = useWeekOf(day);
  if (refused && refused.free.length > 0)
    return refused.free.map((free) => ({
      ...{ day: dayOf(free.inicio, zone), start: timeOf(free.inicio, zone), end: timeOf(free.fim, zone) },
    }));
  const [start, end] = [parseTime(inicio), parseTime(fim)];
  if (!start || !end) return [];
  const others = sessions.filter(
    ({ id, membros }) => id !== own && !membros?.some((member) => member.id === own),
  );
  const earliest = day === today ? now : '00:00';
  const minutes = minutesOf(end) - minutesOf(start);
  return nearestFreeTimes(others, day, zone, { start, end }, earliest).map((free) => ({
    ...{ day, start: free, end: addMinutes(free, minutes) },
  }));
}
