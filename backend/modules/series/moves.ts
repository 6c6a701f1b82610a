import type { Period } from '../sessions/session.js';

/** A session to be moved. Sessions with the same `hour` are moved together. */
export interface Move extends Period {
  session_id: string;
  hour: string;
  from: Period;
}

const meets = (one: Period, other: Period): boolean => one.inicio < other.fim && other.inicio < one.fim;

/** Orders moves so that none goes to a time that another hour still has. If that is impossible, hours may overlap meanwhile. */
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
