import type { Span } from '../../platform/local-time.js';
import type { Busy } from './free-times.js';

/** Travel times between locations, and how they extend busy times. Pure functions. */

/** Travel time in minutes from one location to others, by their ids. */
export type MinutesTo = Readonly<Record<string, number>>;

/** A busy time and its location; null where the location is unknown. */
interface TakenAt extends Span {
  place: string | null;
}

/** The busy times, each with the travel time (`away`) between its location and the one that `minutes` belongs to. */
export const seenFrom = (taken: readonly TakenAt[], minutes: MinutesTo | undefined): Busy[] =>
  taken.map(({ place, from, to }) => ({ from, to, away: (place !== null && minutes?.[place]) || 0 }));
