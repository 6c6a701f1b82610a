import type { Period } from '../agenda/session.js';

/** A session that is to go to another time. Those of one `hour` go together. */
export interface Move extends Period {
  session_id: string;
  hour: string;
  from: Period;
}

const meets = (one: Period, other: Period): boolean => one.inicio < other.fim && other.inicio < one.fim;

/** In an order in which none goes to where another hour still is. What there is no such order for may meet on the way. */
export function ordered<M extends Move & { permitted: boolean }>(moves: readonly M[]): M[] {
  const sorted: M[] = [];
  let waiting = [...moves];
  while (waiting.length > 0) {
    const isFree = (move: M) => !waiting.some((one) => one.hour !== move.hour && meets(move, one.from));
    const free = waiting.filter(isFree);
    if (free.length === 0) return [...sorted, ...waiting.map((move) => ({ ...move, permitted: true }))];
    sorted.push(...free);
    waiting = waiting.filter((move) => !free.includes(move));
  }
  return sorted;
}
