import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { addMinutes, formatTime, minutesOf, parseDate, parseTime, type Time } from '../../lib/dates.js';
import type { BodyForm } from '../../lib/form.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { refresh } from '../../lib/topics.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { useWeekOf } from './agenda.queries.js';
import classes from './conflict.module.css';
import { nearestFreeTime } from './hours.js';
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
  conflict?: string | undefined;
}

interface SessionSending {
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  submitAnyway: () => void;
  /** Why the times in the form cannot be had; null as soon as others are chosen. */
  conflict: string | null;
}

const timesOf = ({ data, inicio, fim }: SessionValues) => [data, inicio, fim].join();

/** Sends a session's form. A time that is taken is not an error: the form then offers another time, or to share this one. */
export function useSessionSending<Values extends SessionValues, Body extends Sharable>(
  form: BodyForm<Values, Body>,
  { send, failure, conflict }: SendingOptions<Body>,
): SessionSending {
  const client = useQueryClient();
  const [refused, setRefused] = useState(
    conflict === undefined ? null : { times: timesOf(form.values), message: conflict },
  );
  const takes = (error: unknown) => {
    if (!(error instanceof ProblemError && error.code === 'agenda.overlap')) return false;
    setRefused({ times: timesOf(form.getValues()), message: messageOf(error) });
    // The session in the way may be new to this screen.
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
    conflict: refused?.times === timesOf(form.values) ? refused.message : null,
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

/** A time that is taken: who is there, the nearest free time, and sharing it. */
export function Conflict<Values extends SessionValues, Body>({
  form,
  sending: { conflict, submit, submitAnyway },
  except,
  anyway,
}: ConflictProps<Values, Body>) {
  const free = useFreeTime(form.values, except);

  const use = ({ start, end }: { start: Time; end: Time }) => {
    form.setValues({ inicio: start, fim: end } as Partial<Values>);
    submit();
  };

  return (
    <div className={classes.conflict}>
      <p role="alert">
        <Icon name="alert" size={18} />
        {conflict}
      </p>
      <div className={classes.buttons}>
        <Button variant="subtle" loading={form.submitting} onClick={submitAnyway}>
          {anyway}
        </Button>
        {free && (
          <Button loading={form.submitting} onClick={() => use(free)}>
            Usar {formatTime(free.start)}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The nearest time that a session as long as the one in the form could have that day. */
function useFreeTime({ data, inicio, fim }: SessionValues, except: string | undefined) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const day = parseDate(data) ?? today;
  const { data: sessions = [] } = useWeekOf(day);
  const [start, end] = [parseTime(inicio), parseTime(fim)];
  if (!start || !end) return null;
  const others = sessions.filter(({ id }) => id !== except);
  const free = nearestFreeTime(others, day, zone, { start, end }, day === today ? now : '00:00');
  return free && { start: free, end: addMinutes(free, minutesOf(end) - minutesOf(start)) };
}
