import { atClocks, clocksAt } from '../../platform/local-time.js';
import {
  datesOf,
  dayNumber,
  daysAfter,
  type Pattern,
  type Stretch,
  type Terms,
  weekdayMoved,
} from './pattern.js';
import type { RuledStretch } from './series.js';

/** The times of a series' sessions in a zone, and the series as a rule. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The times of the session on a date of the pattern, by its terms. */
export function timesOn(
  date: string,
  { deslocamento, hora, duracao }: Terms,
  zone: string,
): { inicio: string; fim: string } {
  const [hours, minutes] = hora.split(':').map(Number);
  const start = atClocks((dayNumber(date) + deslocamento) * DAY + (hours! * 60 + minutes!) * MINUTE, zone);
  return { inicio: new Date(start).toISOString(), fim: new Date(start + duracao * MINUTE).toISOString() };
}

/** Local date and time of an instant in a zone. */
export function localOf(at: string | Date, zone: string): { data: string; hora: string } {
  const [data, time] = new Date(clocksAt(new Date(at).getTime(), zone)).toISOString().split('T');
  return { data: data!, hora: time!.slice(0, 5) };
}

/** The stretches converted to another zone; from today on, they give the same instants. */
export function retold(
  pattern: Pattern & { trechos: readonly Stretch[]; timezone: string },
  zone: string,
  now: Date,
): RuledStretch[] {
  const today = localOf(now, pattern.timezone).data;
  const stretches = pattern.trechos.map((stretch) => {
    const date = stretch.desde > today ? stretch.desde : today;
    const { data, hora } = localOf(timesOn(date, stretch, pattern.timezone).inicio, zone);
    return { ...stretch, hora, deslocamento: dayNumber(data) - dayNumber(date) };
  });
  return withRules(pattern, stretches, zone);
}

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Stretches with rules (RFC 5545); DTSTART is `timesOn` the first date. Weeks begin with the day to which Sunday is moved. */
export function withRules(pattern: Pattern, stretches: readonly Stretch[], zone: string): RuledStretch[] {
  return stretches.map((stretch, at) => {
    const { dias = pattern.dias } = stretch;
    const { intervalo, inicio, ate } = pattern;
    const next = stretches[at + 1]?.desde;
    const end = next === undefined ? ate : daysAfter(next, -1);
    const codeOf = (weekday: number) => CODES[weekdayMoved(weekday, stretch.deslocamento)]!;
    const days = dias.map(codeOf).toSorted((one, other) => CODES.indexOf(one) - CODES.indexOf(other));
    const last =
      end === null ? undefined : datesOf({ dias, intervalo, inicio, ate }, stretch.desde, end).at(-1);
    const until = end === null ? undefined : timesOn(last ?? end, stretch, zone).inicio;
    const rrule = [
      'FREQ=WEEKLY',
      intervalo > 1 && `INTERVAL=${intervalo}`,
      intervalo > 1 && `WKST=${codeOf(0)}`,
      `BYDAY=${days.join(',')}`,
      until && `UNTIL=${until.replace(/[-:]|\.\d+/g, '')}`,
    ];
    return { ...stretch, rrule: rrule.filter(Boolean).join(';') };
  });
}
