import { dateOf } from '../../platform/local-time.js';
import { heldUntil } from './held-until.js';
import { partAt } from './public.slots.js';
import {
  about,
  decideEnd,
  decideLeave,
  isTold,
  type OfferEnd,
  type StandingOffer,
  type Waiting,
  type WaitingEvent,
} from './waiting.js';

/** Decides which time is offered to whom, and until when. Pure functions. */

const MINUTE = 60_000;
/** The least time to answer. */
const SHORTEST_MS = 10 * MINUTE;
/** People who leave so many offers unanswered are removed. Offers of which they were not told do not count. */
const MOST_UNANSWERED = 3;

export interface Queued {
  entry: Waiting;
  /** Starts that are free at the person's location and for so long, if not all are. */
  starts?: readonly number[] | undefined;
  /** Minutes of what the person waits for, if they are others. */
  minutes?: number | undefined;
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
  /** `unsent`: whose offer it is, if nobody told them of it in its hour. */
  const held: { start: number; end: number; place: string; unsent?: Waiting | false }[] = [];
  const busyStudents = new Set<string>();
  const candidates: Queued[] = [];
  const today = dateOf(now, zone);
  for (const queued of queue) {
    const { entry, isThere, isWelcome } = queued;
    const isMeant = isThere && isWelcome && !entry.pulado;
    const ended =
      entry.oferta &&
      endOf(entry.oferta, {
        isMeant,
        starts: queued.starts ?? starts,
        now,
        isOver: heldUntil(Date.parse(entry.oferta.inicio), now, zone, antecedencia_min) <= now,
      });
    if (entry.oferta && !ended) {
      const unsent = !isTold(entry.oferta) && Date.parse(entry.oferta.ate) <= now && entry;
      const [start, end] = [Date.parse(entry.oferta.inicio), Date.parse(entry.oferta.fim)];
      held.push({ start, end, place: entry.location_id, unsent });
      busyStudents.add(entry.student_id);
      continue;
    }
    const own: WaitingEvent[] = [];
    if (entry.oferta && ended) own.push(...decideEnd(entry, entry.oferta, ended));
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
  const inTheWay = (start: number, end: number, { location_id }: Waiting) =>
    held.filter((other) => {
      const between = Math.max(intervalo_min, away(other.place, location_id)) * MINUTE;
      return other.start < end + between && start < other.end + between;
    });
  const all = new Set(starts);
  const able = candidates.map(({ entry, starts: own, minutes = duracao_min }) => ({
    entry,
    length: minutes * MINUTE,
    free: own ? new Set(own) : all,
    refused: new Set(entry.oferecidos),
  }));
  const every = [...new Set([...starts, ...able.flatMap(({ free }) => [...free])])];
  for (const start of every.toSorted((one, other) => one - other)) {
    const until = heldUntil(start, now, zone, antecedencia_min);
    if (until - now < SHORTEST_MS) continue;
    const inicio = new Date(start).toISOString();
    const isWished = suiting(start, zone);
    const suited = able.find(
      ({ entry, length, free, refused }) =>
        isWished(entry) &&
        free.has(start) &&
        !refused.has(inicio) &&
        !busyStudents.has(entry.student_id) &&
        inTheWay(start, start + length, entry).every(({ unsent }) => unsent && entry.por_email),
    );
    if (!suited) continue;
    const { entry: next } = suited;
    const end = start + suited.length;
    for (const { unsent } of inTheWay(start, end, next))
      if (unsent) due.set(unsent.wait_id, decideEnd(unsent, unsent.oferta!, 'ocupada'));
    held.push({ start, end, place: next.location_id });
    busyStudents.add(next.student_id);
    const offer = {
      oferta: next.ofertas + 1,
      inicio,
      fim: new Date(end).toISOString(),
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

/** Whether a start is on a day and in a part of the day that somebody waits for. Its day is found once for all who wait. */
export function suiting(start: number, zone: string) {
  const [date, part] = [dateOf(start, zone), partAt(start, zone)];
  return ({ de, ate, periodos }: Pick<Waiting, 'de' | 'ate' | 'periodos'>): boolean =>
    date >= de && date <= ate && periodos.includes(part);
}
