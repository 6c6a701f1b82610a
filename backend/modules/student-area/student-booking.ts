import { type Aggregate, changedFields, refuseChanged } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { clocksAt } from '../../platform/local-time.js';
import type { Offered } from '../services/service.js';
import { type BookingChange, type BookingSettings, defaultBooking } from './student-booking.api.js';

/** The complete settings. */
export interface StudentBookingSet {
  type: 'StudentBookingSet';
  data: BookingSettings;
}

/** Settings of students' bookings; the stream's id is the tenant's. */
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

export function decideSetBooking(
  state: BookingSettings,
  { se_ainda, ...wanted }: BookingChange,
): StudentBookingSet[] {
  refuseChanged('As configurações', state, se_ainda);
  const isSame = Object.keys(changedFields(state, wanted)).length === 0;
  return isSame ? [] : [{ type: 'StudentBookingSet', data: wanted }];
}

/** What students book where no service is offered to them. */
export const plainClass = ({ duracao_min }: BookingSettings): Offered => ({
  id: null,
  nome: null,
  duracao_min,
  valor: null,
  usa_credito: true,
  cor: null,
  locais: null,
  endereco: null,
});

/** The settings for booking a service: its duration, and a credit only where it takes one. */
export const forService = (
  settings: BookingSettings,
  { duracao_min, usa_credito }: Pick<Offered, 'duracao_min' | 'usa_credito'>,
): BookingSettings => ({
  ...settings,
  duracao_min,
  exige_credito: settings.exige_credito && usa_credito,
});

/** The same for moving a session that was booked. */
export const forSession = (
  settings: BookingSettings,
  { minutos, usa_credito }: { minutos: number; usa_credito: boolean },
): BookingSettings => forService(settings, { duracao_min: minutos, usa_credito });

/** Parameters for computing free times, without a limit of times per day. */
export const limitsOf = ({ dias, duracao_min, intervalo_min, antecedencia_min }: BookingSettings) => ({
  dias,
  duracao_min,
  intervalo_min,
  antecedencia_min,
  por_dia: 24,
});

const DAY_MS = 86_400_000;

/** Sessions that begin from then on are not offered to students, and so not counted among those that use credits. */
export const shownUntil = ({ dias }: BookingSettings, now: Date): Date =>
  new Date(now.getTime() + (dias + 1) * DAY_MS);

/** Credits of a lot, and their expiry; null: never. */
interface Left {
  remaining: number;
  expires_at: Date | string | null;
  /** Set for a make-up, which is used before other lots. */
  reposicao?: unknown;
}

/** A student's credits, and the sessions that will use some. */
export interface Standing {
  lots: readonly Left[];
  /**
   * Starts of scheduled, confirmed sessions in the days that are shown, and of past sessions that are not settled. Unconfirmed
   * ones do not count, because anybody may have booked them.
   */
  agendadas: readonly (Date | string)[];
  /** Number of all future sessions that the student booked. */
  proprias: number;
  /** Credits that several students use after their own, which are `lots` (none of whose they are), and the others who use them. */
  divididos: { lots: readonly Left[]; outros: readonly Pick<Standing, 'lots' | 'agendadas'>[] } | null;
}

/** Number of credits that no session will use, and when they expire. */
export interface FreeCredits {
  livres: number;
  /** A session that uses one must begin before this; in ms since 1970, Infinity: no limit. */
  ate: number;
}

const millisecondsOf = (instant: Date | string | null) =>
  instant === null ? Infinity : new Date(instant).getTime();
const rising = (one: number, other: number) => (one === other ? 0 : one - other);

/** Null if the trainer requires no credits. Past sessions are treated as settled now. */
export function freeCredits(
  { exige_credito }: BookingSettings,
  { lots, agendadas, divididos }: Standing,
  now: Date,
): FreeCredits | null {
  if (!exige_credito) return null;
  const { lots: shared, outros } = divididos ?? { lots: [], outros: [] };
  const credits = [...creditsIn(lots, now, false), ...creditsIn(shared, now, true)];
  const uses = [
    ...usesAt(agendadas, now),
    ...outros.flatMap((other) =>
      usedUp(creditsIn(other.lots, now, false), usesAt(other.agendadas, now)).uncovered.map(({ at }) => ({
        at,
        byOther: true,
      })),
    ),
  ];
  const unused = (more: Use[]) => usedUp(credits, [...uses, ...more]).left.length;
  const livres = unused([]);
  const covers = (end: number) => unused([{ at: end - 1, byOther: false }]) < livres;
  const ate = [...new Set(credits.map(({ end }) => end))]
    .toSorted(rising)
    .findLast((end) => covers(Math.min(end, Number.MAX_SAFE_INTEGER)));
  return { livres, ate: ate ?? 0 };
}

interface Credit {
  /** When it expires. */
  end: number;
  isShared: boolean;
}

interface Use {
  at: number;
  /** Of another student, who uses only shared credits. */
  byOther: boolean;
}

/** Valid credits in their order of use. */
function creditsIn(lots: readonly Left[], now: Date, isShared: boolean): Credit[] {
  const rank = ({ reposicao }: Left) => (reposicao ? 0 : 1);
  return lots
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) || rising(millisecondsOf(one.expires_at), millisecondsOf(other.expires_at)),
    )
    .flatMap(({ remaining, expires_at }) => {
      const end = millisecondsOf(expires_at);
      return end > now.getTime() ? Array<Credit>(remaining).fill({ end, isShared }) : [];
    });
}

const usesAt = (starts: Standing['agendadas'], now: Date): Use[] =>
  starts.map((start) => ({ at: Math.max(millisecondsOf(start), now.getTime()), byOther: false }));

/** Each session uses the first credit that is valid at its start: what remains, and the sessions for which there is none. */
function usedUp(credits: readonly Credit[], uses: readonly Use[]): { left: Credit[]; uncovered: Use[] } {
  const left = [...credits];
  const uncovered: Use[] = [];
  for (const use of uses.toSorted((one, other) => rising(one.at, other.at))) {
    const at = left.findIndex(({ end, isShared }) => end > use.at && (isShared || !use.byOther));
    if (at >= 0) left.splice(at, 1);
    else uncovered.push(use);
  }
  return { left, uncovered };
}

/** Why a student may not book at all now; null if allowed. */
export function obstacle(
  settings: BookingSettings,
  standing: Standing,
  now: Date,
): 'booking_off' | 'too_many_open' | 'no_credit' | null {
  if (!settings.ativo) return 'booking_off';
  if (standing.proprias >= settings.abertas) return 'too_many_open';
  return freeCredits(settings, standing, now)?.livres === 0 ? 'no_credit' : null;
}

/** Refuses a booking if there is an obstacle, or no credit that is still valid at the session's start. */
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

/**
 * If the session has a credit at its old time `before`, it needs one at the new time too. `standing`: the student's
 * credits and sessions without this session.
 */
export function refuseBeyondCredits(
  settings: BookingSettings,
  standing: Standing,
  { before, inicio, now }: { before: string; inicio: string; now: Date },
): void {
  if (Date.parse(inicio) >= movableUntil(settings, standing, { before, now })) throw endsBefore();
}

/** Latest start to which the session may be moved, in ms; Infinity if it has no credit anyway. */
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

/** Where and when a student has trained, or will. */
interface Trained {
  inicio: string;
  location_id: string | null;
}

function timesEach<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The places in the order of how often the student trains there, otherwise as they are. */
export function usualFirst<Place extends { id: string }>(
  places: readonly Place[],
  trained: readonly Trained[],
): Place[] {
  const counts = timesEach(trained.map(({ location_id }) => location_id));
  return places.toSorted((one, other) => (counts.get(other.id) ?? 0) - (counts.get(one.id) ?? 0));
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Once is no habit. */
const HABITUAL = 2;

/**
 * The first free time at the weekday and hour at which the student has trained most often, and the usual place then; null if there
 * is no such hour, or no such time is free there.
 */
export function habit(
  free: readonly { inicio: string; locais: readonly string[] | null }[],
  trained: readonly Trained[],
  zone: string,
): Trained | null {
  const hourOf = (inicio: string) => clocksAt(Date.parse(inicio), zone) % WEEK_MS;
  const hours = timesEach(trained.map(({ inicio }) => hourOf(inicio)));
  const [hour, count] = [...hours].toSorted(([, one], [, other]) => other - one)[0] ?? [0, 0];
  if (count < HABITUAL) return null;
  const then = timesEach(
    trained.filter(({ inicio }) => hourOf(inicio) === hour).map(({ location_id }) => location_id),
  );
  const [location_id] = [...then].toSorted(([, one], [, other]) => other - one)[0]!;
  const found = free.find(
    ({ inicio, locais }) =>
      hourOf(inicio) === hour && (!locais || location_id === null || locais.includes(location_id)),
  );
  return found ? { inicio: found.inicio, location_id } : null;
}
