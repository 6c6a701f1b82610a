import { addHours } from 'date-fns';
import type { RateLimitOptions } from '../../platform/http/calls.api.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';

/** How many bookings of a trainer's page may wait for the trainer. Pure functions. */

/** Bookings of a page; an unconfirmed one counts whatever became of it, so that cancelling makes no room for the next. */
export interface Demand {
  /** Unconfirmed, of the last hour. */
  hora: number;
  /** Unconfirmed, of the last day or still holding their times. */
  dia: number;
  /** Unconfirmed, holding their times. */
  abertas: number;
  /** Confirmed, of the last four weeks. */
  confirmadas: number;
}

/** The demand of a tenant, as a JSON value; bookings that are not projected yet are counted from the log. */
export const demandOf = (tenant: string): string => `(
  select json_build_object(
    'hora', fresh.n + count(*) filter (where not answered and criado_em > now() - interval '1 hour'),
    'dia', fresh.n + count(*) filter (where not answered and (is_open or criado_em > now() - interval '1 day')),
    'abertas', fresh.n + count(*) filter (where not answered and is_open),
    'confirmadas', count(*) filter (where answered))
  from (
    select count(*)::int as n from events where tenant_id = ${tenant} and type = 'VisitorBooked'
      and recorded_at > now() - interval '1 hour' and position > (select min(position) from projection_checkpoint
        where tenant_id = ${tenant} and projection in ('shared', 'visits', 'sessions'))
  ) fresh
  left join (
    select v.criado_em, s.confirmado or s.status = 'feita' as answered,
      s.status = 'agendada' and not s.deleted as is_open
    from visits v join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id
    where v.tenant_id = ${tenant} and v.criado_em > now() - interval '28 days'
  ) visits on true
  group by fresh.n)`;

/** How long the trainer may take to confirm a booking; it is announced to the visitor. Then its time is free again. */
export const LAPSE_HOURS = 48;
export const lapseOf = (now: Date): string => addHours(now, LAPSE_HOURS).toISOString();

interface Limits {
  hora: number;
  dia: number;
}

/**
 * A share of the free week, which grows with what the trainer confirms: real demand is answered, an attack is not. A carrier's
 * customers may all book within minutes.
 */
export function limitsOf(freeWeek: number, { abertas, confirmadas }: Demand): Limits {
  const week = freeWeek + abertas;
  const part = (share: number, atLeast: number) =>
    Math.max(Math.ceil(week * share), Math.min(atLeast, Math.ceil((week * share * 5) / 3)));
  return {
    hora: Math.max(3, part(0.3, 20)) + Math.floor(confirmadas / 2),
    dia: Math.max(5, part(0.5, 36)) + confirmadas,
  };
}

const WEEK_MS = 7 * 86_400_000;

/** @throws Problem 429 for a booking that the page has no room for */
export function refuseCrowd(starts: readonly number[], demand: Demand, now: number): void {
  const freeWeek = starts.filter((start) => start < now + WEEK_MS).length;
  const limits = limitsOf(freeWeek, demand);
  if (demand.hora < limits.hora && demand.dia < limits.dia) return;
  const minutes = demand.dia < limits.dia ? 10 : 60;
  throw new Problem('public.crowded', {
    detail: `Muita gente reservou agora, e o personal ainda vai responder. Tente de novo em ${plural(minutes, 'minuto', 'minutos')} ou entre na lista de espera.`,
    retryAfter: minutes * 60,
  });
}

/** So many unconfirmed bookings are usual: a browser need not prove anything. */
const CALM = 12;
/** About a second of computing on a phone; at most eight times as much. */
const TRIES = 60_000;
const MOST_DOUBLED = 3;

/** How many tries a browser has to spend, at most, on a booking: 0 while it is calm. */
export function triesFor({ hora, dia }: Demand): number {
  const times = Math.floor(Math.max(hora, dia / 2) / CALM);
  return times === 0 ? 0 : TRIES * 2 ** Math.min(MOST_DOUBLED, times - 1);
}
export const leastTries = (demand: Demand): number => Math.max(TRIES, triesFor(demand));

/** Attempts by address, and by phone under the same name: a refusal does not reveal who else tried with the phone. */
export const BOOKINGS: RateLimitOptions = { name: 'visitor-bookings', points: 20, seconds: 600 };

type NetworkLimits = readonly (readonly [bits: 48 | 56 | 64, limit: RateLimitOptions])[];
/** One customer may have all addresses of an IPv6 /48, and a carrier's customers share it, as they share an IPv4 address. */
const AT_ONE_PAGE: NetworkLimits = [
  [64, BOOKINGS],
  [56, { ...BOOKINGS, points: 40, isShared: true }],
  [48, { ...BOOKINGS, points: 120, isShared: true }],
];
/** A carrier's customers book with many trainers: what one page gets of them says nothing about the others. */
const AT_ALL_PAGES: NetworkLimits = [
  [64, { ...BOOKINGS, points: 200, isShared: true }],
  [48, { ...BOOKINGS, points: 1200, isShared: true }],
];

/** Wishes for the waitlist: they hold no times, so its places would be all that one address can take. */
const WISHES: RateLimitOptions = { name: 'waitlist-wishes', points: 40, seconds: 86_400, isShared: true };
const IN_A_DAY: NetworkLimits = [
  [64, WISHES],
  [48, { ...WISHES, points: 120 }],
];

type KeyOf = (bits: 48 | 56 | 64) => string;

function against(limits: NetworkLimits, keyOf: KeyOf, tenantId?: string) {
  const own = keyOf(64);
  return limits.flatMap(([bits, limit]) => {
    const network = keyOf(bits);
    // An IPv4 address is no network.
    if (bits < 64 && network === own) return [];
    return [{ limit, key: tenantId === undefined ? network : `${network} ${tenantId}` }];
  });
}

/** What an attempt counts against, by the networks of its address: at one trainer's page, or at all pages together. */
export const attemptsOf = (keyOf: KeyOf, tenantId?: string) =>
  against(tenantId === undefined ? AT_ALL_PAGES : AT_ONE_PAGE, keyOf, tenantId);

/** The same for a new wish at a trainer's page. */
export const wishesOf = (keyOf: KeyOf, tenantId: string) => against(IN_A_DAY, keyOf, tenantId);
