import type { DomainEvent } from './aggregate.js';

/** How an event reads in the history of what it touches. `data` is the event's newest shape. */
export interface HistoryWording {
  /** What the event is about, such as `student:{id}`: it shows in the history of each. */
  subjects(data: never, tenantId: string): string[];
  /** In Portuguese, as the trainer reads it in the given zone; null fields are those of a forgotten person. */
  words(data: never, timezone: string): string;
}

/** Words for each of these event types; none is left out. */
export type HistoryWords<Event extends DomainEvent = DomainEvent> = Record<Event['type'], HistoryWording>;
