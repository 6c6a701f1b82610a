import type { Period } from '../agenda/session.js';

/** A session that is to go to another time. */
export interface Move extends Period {
  session_id: string;
  from: Period;
}

const meets = (one: Period, other: Period): boolean => one.inicio < other.fim && other.inicio < one.fim;

/** In an order in which none goes to where another one still is. What there is no such order for may meet on the way. */
export function ordered<M extends Move & { permitted: boolean }>(moves: readonly M[]): M[] {
  const sorted: M[] = [];
  let waiting = [...moves];
  while (waiting.length > 0) {
    const free = waiting.filter((move) => !waiting.some((one) => one !== move && meets(move, one.from)));
    if (free.length === 0) return [...sorted, ...waiting.map((move) => ({ ...move, permitted: true }))];
    sorted.push(...free);
    waiting = waiting.filter((move) => !free.includes(move));
  }
  return sorted;
}
