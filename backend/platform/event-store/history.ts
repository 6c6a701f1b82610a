import type { DomainEvent } from './aggregate.js';

/** How an event reads in the history of what it touches. `data` is the event's newest shape. */
export interface HistoryWording {
  /** The entities in whose history the event appears, such as `student:{id}`. */
  subjects(data: never, tenantId: string): string[];
  /** In Portuguese, as the trainer reads it in the given zone; null fields are those of a forgotten person. */
  words(data: never, timezone: string): string;
}

/** The texts for each of these event types, all of them required. */
export type HistoryWords<Event extends DomainEvent = DomainEvent> = Record<Event['type'], HistoryWording>;
