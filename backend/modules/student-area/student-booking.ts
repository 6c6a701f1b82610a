import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type BookingSettings, defaultBooking } from './student-booking.api.js';

/** All of the settings. */
export interface StudentBookingSet {
  type: 'StudentBookingSet';
  data: BookingSettings;
}

/** How students may book; the stream's id is the tenant's. */
export const studentBooking: Aggregate<BookingSettings, StudentBookingSet> = {
  name: 'student-booking',
  initialState: defaultBooking,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'StudentBookingSet':
        return data;
    }
  },
  events: { StudentBookingSet: { schemaVersion: 1 } },
};

export function decideSetBooking(state: BookingSettings, wanted: BookingSettings): StudentBookingSet[] {
  const names = Object.keys(wanted) as (keyof BookingSettings)[];
  return names.every((name) => state[name] === wanted[name])
    ? []
    : [{ type: 'StudentBookingSet', data: wanted }];
}

/** What free times are computed with: all of a day's are shown. */
export const limitsOf = ({ dias, duracao_min, intervalo_min, antecedencia_min }: BookingSettings) => ({
  ...{ dias, duracao_min, intervalo_min, antecedencia_min },
  por_dia: 24,
});

/** Credits of a lot, and when they end; null: never. */
interface Left {
  remaining: number;
  expires_at: Date | string | null;
  /** Of a make-up, which is used before the others. */
  reposicao?: unknown;
}

/** What a student has: credits, and sessions that will use some. */
export interface Standing {
  lots: readonly Left[];
  /**
   * Starts of what is scheduled and confirmed in the days that are shown, and of what has passed without being settled:
   * anybody may have booked what is not confirmed.
   */
  agendadas: readonly (Date | string)[];
  /** Sessions of all days to come that the student booked. */
  proprias: number;
}

/** Credits that no session will use, and the instant before which a session that uses one must begin. */
export interface FreeCredits {
  livres: number;
  /** Milliseconds; Infinity: whenever. */
  ate: number;
}

const millisecondsOf = (instant: Date | string | null) =>
  instant === null ? Infinity : new Date(instant).getTime();
const rising = (one: number, other: number) => (one === other ? 0 : one - other);

/** Null where the trainer asks for no credits. What has passed will be settled now at the soonest. */
export function freeCredits(
  { exige_credito }: BookingSettings,
  { lots, agendadas }: Standing,
  now: Date,
): FreeCredits | null {
  if (!exige_credito) return null;
  const rank = ({ reposicao }: Left) => (reposicao ? 0 : 1);
  const ends = lots
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) || rising(millisecondsOf(one.expires_at), millisecondsOf(other.expires_at)),
    )
    .flatMap(({ remaining, expires_at }) => {
      const end = millisecondsOf(expires_at);
      return end > now.getTime() ? Array<number>(remaining).fill(end) : [];
    });
  const uses = agendadas.map((start) => Math.max(millisecondsOf(start), now.getTime()));
  const livres = unused(ends, uses);
  const covers = (end: number) => unused(ends, [...uses, end - 1]) < livres;
  const ate = [...new Set(ends)]
    .toSorted(rising)
    .findLast((end) => covers(Math.min(end, Number.MAX_SAFE_INTEGER)));
  return { livres, ate: ate ?? 0 };
}

/** How many credits are left once each session has used the first of those that count when it begins. `ends`: in order of use. */
function unused(ends: readonly number[], uses: readonly number[]): number {
  const left = [...ends];
  for (const use of uses.toSorted(rising)) {
    const at = left.findIndex((end) => end > use);
    if (at >= 0) left.splice(at, 1);
  }
  return left.length;
}

/** Why a student may not book at all now; null where it may. */
export function obstacle(
  settings: BookingSettings,
  standing: Standing,
  now: Date,
): 'booking_off' | 'too_many_open' | 'no_credit' | null {
  if (!settings.ativo) return 'booking_off';
  if (standing.proprias >= settings.abertas) return 'too_many_open';
  return freeCredits(settings, standing, now)?.livres === 0 ? 'no_credit' : null;
}

/** A session that begins then needs a credit that still counts then. */
export function refuseObstacle(
  settings: BookingSettings,
  standing: Standing,
  { inicio, now }: { inicio: string; now: Date },
): void {
  const code = obstacle(settings, standing, now);
  if (code) throw new Problem(`student_area.${code}`);
  const free = freeCredits(settings, standing, now);
  if (free && Date.parse(inicio) >= free.ate) throw endsBefore();
}

/** A session that had a credit when it began at `before` needs one at its new time too. `standing`: without that session. */
export function refuseBeyondCredits(
  settings: BookingSettings,
  standing: Standing,
  { before, inicio, now }: { before: string; inicio: string; now: Date },
): void {
  if (Date.parse(inicio) >= movableUntil(settings, standing, { before, now })) throw endsBefore();
}

/** Milliseconds; where the session has no credit in sight anyway, it moves as it likes. */
export function movableUntil(
  settings: BookingSettings,
  standing: Standing,
  { before, now }: { before: Date | string; now: Date },
): number {
  const free = freeCredits(settings, standing, now);
  return free && millisecondsOf(before) < free.ate ? free.ate : Infinity;
}

const endsBefore = () =>
  new Problem('student_area.no_credit', { detail: 'Seus créditos livres vencem antes desta aula.' });
