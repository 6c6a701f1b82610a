import { dateOf, atClocks, clocksAt } from '../../platform/local-time.js';
import { partAt } from './public.slots.js';
import {
  about,
  decideLeave,
  isTold,
  type OfferEnd,
  type StandingOffer,
  type Waiting,
  type WaitingEvent,
} from './waiting.js';

/** Decides which time is offered to whom, and until when. Pure functions. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * How long an offer holds a time; one made at night holds it until the morning. One that nobody has sent stands on until the
 * trainer sends it or skips the person, but others can book its time.
 */
const HELD_MS = HOUR;
const LAST_HOUR = 21;
const MORNING_HOUR = 9;
/** The least time to answer. */
const SHORTEST_MS = 10 * MINUTE;
/** People who leave so many offers unanswered are removed. Offers of which they were not told do not count. */
const MOST_UNANSWERED = 3;

export interface Queued {
  entry: Waiting;
  /** Starts that are free at the person's location, if not all are. */
  starts?: readonly number[] | undefined;
  /** The student is neither removed nor forgotten. */
  isThere: boolean;
  /** Neither blocked nor waiting for a location that is not shown. */
  isWelcome: boolean;
}

export interface RoundAsked {
  /** Free starts, in order, not counting offers. */
  starts: readonly number[];
  /** Travel time between two locations, in minutes. */
  away?: (one: string, other: string) => number;
  now: number;
  zone: string;
  duracao_min: number;
  intervalo_min: number;
  antecedencia_min: number;
}

/** What is due: expired offers, people to remove, and each free time offered to the first person it suits. */
export function decideRound(
  queue: readonly Queued[],
  { starts, away = () => 0, now, zone, duracao_min, intervalo_min, antecedencia_min }: RoundAsked,
): Map<string, WaitingEvent[]> {
  const due = new Map<string, WaitingEvent[]>();
  const held: { start: number; place: string }[] = [];
  const busyStudents = new Set<string>();
  const candidates: Queued[] = [];
  const today = dateOf(now, zone);
  for (const queued of queue) {
    const { entry, isThere, isWelcome } = queued;
    const isMeant = isThere && isWelcome && !entry.pulado;
    const ended =
      entry.oferta &&
      endOf(entry.oferta, {
        ...{ isMeant, starts: queued.starts ?? starts, now },
        isOver: heldUntil(Date.parse(entry.oferta.inicio), now, zone, antecedencia_min) <= now,
      });
    if (entry.oferta && !ended) {
      held.push({ start: Date.parse(entry.oferta.inicio), place: entry.location_id });
      busyStudents.add(entry.student_id);
      continue;
    }
    const own: WaitingEvent[] = [];
    if (entry.oferta && ended) {
      const { oferta, inicio } = entry.oferta;
      own.push({ type: 'WaitlistOfferEnded', data: { ...about(entry), oferta, inicio, motivo: ended } });
    }
    const unanswered = entry.vencidas + (ended === 'venceu' ? 1 : 0);
    const gone = !isThere
      ? 'aluno'
      : unanswered >= MOST_UNANSWERED
        ? 'sem_resposta'
        : entry.ate < today
          ? 'datas'
          : null;
    if (gone) own.push(...decideLeave(entry, gone));
    else if (isMeant) candidates.push(queued);
    if (own.length > 0) due.set(entry.wait_id, own);
  }
  const isApart = (start: number, { location_id }: Waiting) =>
    held.every(({ start: other, place }) => {
      const between = Math.max(intervalo_min, away(place, location_id));
      return Math.abs(other - start) >= (duracao_min + between) * MINUTE;
    });
  const all = new Set(starts);
  const able = candidates.map(({ entry, starts: own }) => ({
    entry,
    free: own ? new Set(own) : all,
    refused: new Set(entry.oferecidos),
  }));
  for (const start of starts) {
    const until = heldUntil(start, now, zone, antecedencia_min);
    if (until - now < SHORTEST_MS) continue;
    const inicio = new Date(start).toISOString();
    const next = able.find(
      ({ entry, free, refused }) =>
        free.has(start) &&
        !refused.has(inicio) &&
        !busyStudents.has(entry.student_id) &&
        isApart(start, entry) &&
        suits(entry, start, zone),
    )?.entry;
    if (!next) continue;
    held.push({ start, place: next.location_id });
    busyStudents.add(next.student_id);
    const offer = {
      ...{ oferta: next.ofertas + 1, inicio },
      fim: new Date(start + duracao_min * MINUTE).toISOString(),
      ate: new Date(until).toISOString(),
      por_email: next.por_email,
    };
    const before = due.get(next.wait_id) ?? [];
    due.set(next.wait_id, [...before, { type: 'WaitlistOffered', data: { ...about(next), ...offer } }]);
  }
  return due;
}

/** `isOver`: it is too late to book its time. */
function endOf(
  offer: StandingOffer,
  {
    isMeant,
    starts,
    now,
    isOver,
  }: { isMeant: boolean; starts: readonly number[]; now: number; isOver: boolean },
): OfferEnd | null {
  if (!isMeant) return 'pulada';
  if (isTold(offer) && Date.parse(offer.ate) <= now) return 'venceu';
  if (isOver) return 'nao_enviada';
  return starts.includes(Date.parse(offer.inicio)) ? null : 'ocupada';
}

/** Until when a start is held for somebody who hears of it now. */
export const heldUntil = (start: number, now: number, zone: string, notice: number): number =>
  Math.min(nextAnswer(now, zone), start - notice * MINUTE);

function nextAnswer(now: number, zone: string): number {
  const until = clocksAt(now + HELD_MS, zone);
  const midnight = until - (until % DAY);
  const hour = (until % DAY) / HOUR;
  if (hour >= MORNING_HOUR && hour <= LAST_HOUR) return now + HELD_MS;
  const morning = midnight + MORNING_HOUR * HOUR + (hour > LAST_HOUR ? DAY : 0);
  return atClocks(morning, zone);
}

/** Whether a start is on a day and in a part of the day that the person waits for. */
export function suits(
  { de, ate, periodos }: Pick<Waiting, 'de' | 'ate' | 'periodos'>,
  start: number,
  zone: string,
): boolean {
  const date = dateOf(start, zone);
  return date >= de && date <= ate && periodos.includes(partAt(start, zone));
}
