import type { Busy, Span } from '../availability/free-times.js';

/** How long the ways between locations take, and what follows for when somebody can be at one of them. Pure. */

/** Minutes of the way from one location to others, by their ids. */
export type MinutesTo = Readonly<Record<string, number>>;

/** A time that is taken, and where; null where that is not known. */
interface TakenAt extends Span {
  place: string | null;
}

/** What is taken, for whoever has to get to the place with these ways. */
export const seenFrom = (taken: readonly TakenAt[], minutes: MinutesTo | undefined): Busy[] =>
  taken.map(({ place, from, to }) => ({ from, to, away: (place !== null && minutes?.[place]) || 0 }));
