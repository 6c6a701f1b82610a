import type { FreePeriod } from '../../../../backend/modules/agenda/free-times.api.js';
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
import classes from './session-form.module.css';
import { nearestFreeTimes } from './hours.js';
import type { SessionValues } from './session-form.js';

/** A request body that can allow a shared time. */
interface Sharable {
  permitir_conflito?: boolean | undefined;
}

interface SendingOptions<Body> {
  send: (body: Body) => Promise<void>;
  /** Title of the toast for any other refusal. */
  failure: string;
  /** Description of the toast for empty fields. */
  missing?: string;
  /** The conflict of the initial times, if already known. */
  conflict?: TimeConflict | undefined;
}

/** A conflict of times: its message, and alternative times from the server, if any. */
export interface TimeConflict {
  message: string;
  free: readonly FreePeriod[];
}

/** The conflict in the server's refusal. */
export const conflictOf = (error: ProblemError): TimeConflict => ({
  message: messageOf(error),
  free: error.free,
});

interface SessionSending {
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  submitAnyway: () => void;
  /** The conflict of the times in the form; null as soon as others are chosen. */
  conflict: TimeConflict | null;
}

const timesOf = ({ data, inicio, fim }: SessionValues) => [data, inicio, fim].join();

/** Sends a session's form. For a taken time, the form offers another time, or to share it, instead of an error. */
export function useSessionSending<Values extends SessionValues, Body extends Sharable>(
  form: BodyForm<Values, Body>,
  { send, failure, missing, conflict }: SendingOptions<Body>,
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
    submit: submitting(form, { save: send, failure, takes, ...(missing && { missing }) }),
    submitAnyway: () => submitAnyway(),
    conflict: refused?.times === timesOf(form.values) ? refused : null,
  };
}

interface ConflictProps<Values, Body> {
  form: BodyForm<Values, Body>;
  sending: SessionSending;
  /** The edited session, which does not conflict with itself. */
  except?: string;
  /** Label of the button that shares the time. */
  anyway: string;
}

/** A conflict: its message, the nearest free times, and a button to use the time anyway. */
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

/** Free times from the server, or, if it was not asked, computed from the loaded sessions of the day. */
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
      day: dayOf(free.inicio, zone),
      start: timeOf(free.inicio, zone),
      end: timeOf(free.fim, zone),
    }));
  const [start, end] = [parseTime(inicio), parseTime(fim)];
  if (!start || !end) return [];
  const others = sessions.filter(
    ({ id, membros }) => id !== own && !membros?.some((member) => member.id === own),
  );
  const earliest = day === today ? now : '00:00';
  const minutes = minutesOf(end) - minutesOf(start);
  return nearestFreeTimes(others, day, zone, { start, end }, earliest).map((free) => ({
    day,
    start: free,
    end: addMinutes(free, minutes),
  }));
}
