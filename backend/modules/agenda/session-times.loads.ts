import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import type { Span } from '../../platform/local-time.js';
import { clockTime, shortDate } from '../../platform/portuguese.js';
import { availability } from '../availability/availability.js';
import { type Closed, closedAt, freeTimes, openHours, type OpenRules } from '../availability/free-times.js';
import { busyElsewhere } from '../other-calendar/busy-words.js';
import { otherCalendar } from '../other-calendar/other-calendar.js';
import { activeVacations, vacationCalendar, type VacationCalendar } from '../away/vacation.js';
import type { FreePeriod } from './free-times.api.js';
import { seenFrom } from '../availability/ways.js';
import type { Period } from '../sessions/session.js';
import { loadPlaces, loadWays } from './session-ways.loads.js';

/** Checks whether a session may take a time: working hours, other calendars, and the nearest free times. */

interface Rules extends OpenRules<VacationCalendar[number]> {
  /** Whether another calendar is connected, which may block times too. */
  hasOtherCalendar: boolean;
}

/** The requested time of a session, and its location if known. */
export interface Wish extends Period {
  location_id?: string | null | undefined;
}

/** Loads the trainer's working hours, vacations and holidays for a command. */
export async function loadRules(tx: CommandTransaction): Promise<Rules> {
  const { tenantId, timezone } = tx.context;
  const [{ horarios, excecoes }, calendar, { linked: hasOtherCalendar }] = await Promise.all([
    tx.load(availability, tenantId),
    tx.load(vacationCalendar, tenantId),
    tx.load(otherCalendar, tenantId),
  ]);
  const vacations = activeVacations(calendar);
  return { rules: horarios, exceptions: excecoes, vacations, zone: timezone, hasOtherCalendar };
}

/** Only the trainer may overrule a refused time; students and visitors may not. */
export const isPermitted = (
  { context }: CommandTransaction,
  { permitir_conflito = false }: { permitir_conflito?: boolean | undefined },
): boolean => permitir_conflito && context.role === 'personal';

const codes = {
  vacation: 'agenda.on_vacation',
  blocked: 'agenda.blocked',
  outside: 'agenda.outside_hours',
} as const;

/**
 * 409 with the obstacle (a vacation, a blocked time, or a time outside the trainer's hours) and the nearest free times. The
 * trainer may permit it; the default hours do not restrict a trainer who has set none.
 */
export async function refuseClosed(
  tx: CommandTransaction,
  period: Wish,
  permitted: boolean,
  own: readonly string[] = [],
): Promise<void> {
  if (permitted) return;
  const rules = await loadRules(tx);
  const closed = closedAt({ from: Date.parse(period.inicio), to: Date.parse(period.fim) }, rules);
  if (!closed) return refuseBusyElsewhere(tx, period, rules, own);
  const isTrainer = tx.context.role === 'personal';
  if (closed.reason === 'outside' && isTrainer && !rules.rules.some(({ is_blocked }) => !is_blocked))
    return refuseBusyElsewhere(tx, period, rules, own);
  throw new Problem(codes[closed.reason], {
    detail: `${obstacle(closed, period, rules)} ${wayOut(tx)}`,
    errors: [{ pointer: '/inicio', detail: 'Horário indisponível' }],
    livres: await nearestFree(tx, period, rules, own),
  });
}

/** 409 where the other calendar is busy at that time. */
async function refuseBusyElsewhere(
  tx: CommandTransaction,
  period: Wish,
  rules: Rules,
  own: readonly string[],
): Promise<void> {
  const [first] = await loadOtherBusy(tx, rules, Date.parse(period.inicio), Date.parse(period.fim));
  if (!first) return;
  throw new Problem('agenda.other_calendar', {
    detail: `${busyElsewhere(first, rules.zone)}. ${wayOut(tx)}`,
    errors: [{ pointer: '/inicio', detail: 'Horário indisponível' }],
    livres: await nearestFree(tx, period, rules, own),
  });
}

const otherBusy = defineLookUp<{ inicio: Date; fim: Date }, [from: Date, to: Date]>(
  `select inicio, fim from other_calendar_busy where tenant_id = $1 and inicio < $3 and fim > $2 order by inicio`,
);

/** The busy times of the other calendar between two instants. Without a connected one, no query is sent. */
export async function loadOtherBusy(
  tx: CommandTransaction,
  { hasOtherCalendar }: Pick<Rules, 'hasOtherCalendar'>,
  from: number,
  to: number,
): Promise<Span[]> {
  if (!hasOtherCalendar) return [];
  const rows = await tx.lookUp(otherBusy, new Date(from), new Date(to));
  return rows.map(({ inicio, fim }) => ({ from: inicio.getTime(), to: fim.getTime() }));
}

export const wayOut = ({ context }: CommandTransaction): string =>
  context.role === 'personal' ? 'Escolha outro horário ou agende mesmo assim.' : 'Escolha outro horário.';

const weekdays = ['no domingo', 'na segunda', 'na terça', 'na quarta', 'na quinta', 'na sexta', 'no sábado'];

function obstacle(closed: Closed<VacationCalendar[number]>, { inicio }: Period, rules: Rules): string {
  switch (closed.reason) {
    case 'vacation': {
      const { start_date, end_date } = closed.vacation;
      return `Há férias de ${shortDate(start_date)} a ${shortDate(end_date)}.`;
    }
    case 'blocked':
      return `O horário das ${clockTime(closed.start_time)} às ${clockTime(closed.end_time)} está bloqueado.`;
    case 'outside': {
      const { weekday, hours } = openHours(Date.parse(inicio), rules);
      if (hours.length === 0) return `Não há atendimento ${weekdays[weekday]}.`;
      const said = hours.map(
        ({ start_time, end_time }) => `das ${clockTime(start_time)} às ${clockTime(end_time)}`,
      );
      return `Fora do horário de atendimento: ${weekdays[weekday]} é ${said.join(' e ')}.`;
    }
  }
}

/**
 * SQL for the start of the tenant's last stretch that begins at or before `instant`. Stretches do not overlap, so no earlier
 * one can reach beyond `instant`. `$1` is the tenant.
 */
export function firstStart(instant: string): string {
  return `(select coalesce(max(inicio), ${instant}) from session_slots where tenant_id = $1 and inicio <= ${instant})`;
}

/** A session and its time in milliseconds. */
export type BusyTime = [session_id: string, from: number, to: number];

const BUSY = `json_agg(json_build_array(session_id, (extract(epoch from inicio) * 1000)::bigint,
  (extract(epoch from fim) * 1000)::bigint) order by inicio) from session_slot_members where tenant_id = $1`;

/** Days before and after a requested time in which free times are searched first; usually there are enough. */
const NEAR_DAYS = 10;

/** SQL for the sessions around the time from `$2` to `$3`, read in the same round trip as the overlapping ones. */
export const busyAround = `select ${BUSY} and inicio > $2::timestamptz - interval '${NEAR_DAYS + 1} days'
  and inicio < $3::timestamptz + interval '${NEAR_DAYS + 1} days'`;

const busyBetween = defineLookUp<{ busy: BusyTime[] | null }, [from: Date, to: Date]>(
  `select (select ${BUSY} and inicio < $3 and fim > $2 and inicio >= ${firstStart('$2')}) as busy`,
);

/** The sessions that overlap the time between two instants, before the command. */
export async function loadBusy(tx: CommandTransaction, from: number, to: number): Promise<BusyTime[]> {
  const [row] = await tx.lookUp(busyBetween, new Date(from), new Date(to));
  return row!.busy ?? [];
}

const OFFERED = 3;
const STEP_MINUTES = 30;
const DAY_MS = 86_400_000;
const LOOK_DAYS = [NEAR_DAYS, 60, 400];

/**
 * The free times nearest to a requested one, of the same length and with travel times to the locations of other sessions; of
 * two equally near ones the later first. The times of `own`, the sessions to be moved, count as free, but the current time of
 * the first of them is not offered. `around`: the sessions of `busyAround`, if they were read.
 */
export async function nearestFree(
  tx: CommandTransaction,
  { inicio, fim, location_id = null }: Wish,
  rules: Rules,
  own: readonly string[],
  around?: readonly BusyTime[],
): Promise<FreePeriod[]> {
  const [wished, end, now] = [Date.parse(inicio), Date.parse(fim), tx.now.getTime()];
  const length = end - wished;
  const minutes = await loadWays(tx, location_id);
  let nearest: number[] = [];
  for (const days of LOOK_DAYS) {
    const [from, to] = [Math.max(now, wished - days * DAY_MS), Math.max(now, wished) + days * DAY_MS];
    const busy = around && days === NEAR_DAYS ? around : await loadBusy(tx, from, to);
    const met = busy.filter(([id]) => !own.includes(id));
    const places = minutes && (await loadPlaces(tx, [...new Set(met.map(([id]) => id))]));
    const taken = met.map(([id, start, end]) => ({ from: start, to: end, place: places?.get(id) ?? null }));
    const others = [...seenFrom(taken, minutes), ...(await loadOtherBusy(tx, rules, from, to))];
    const itself = busy.find(([id]) => id === own[0]);
    const asked = { minutes: length / 60_000, step: STEP_MINUTES, buffer: 0, notice: 0 };
    nearest = freeTimes({ ...rules, ...asked, busy: others, now, from, to })
      .starts.filter((start) => start !== itself?.[1])
      .toSorted((one, other) => Math.abs(one - wished) - Math.abs(other - wished) || other - one)
      .slice(0, OFFERED);
    if (nearest.length === OFFERED) break;
  }
  return nearest.map((start) => ({
    inicio: new Date(start).toISOString(),
    fim: new Date(start + length).toISOString(),
  }));
}
