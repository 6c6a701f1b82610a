import type { DomainEvent } from './aggregate.js';

/** The text of an event in the history of the entities that it concerns. `data` has the event's newest shape. */
export interface HistoryWording<Data = never> {
  /** The entities in whose history the event appears, such as `student:{id}`. */
  subjects(data: Data, tenantId: string): string[];
  /**
   * In Portuguese, as the trainer reads it in the given zone; null fields are those of a forgotten person. `of`: the entity in
   * whose own history the line stands, where it does not repeat what the title says; undefined among lines of others.
   */
  words(data: Data, timezone: string, of?: string): string;
}

/** The texts for each of these event types, all of them required. */
export type HistoryWords<Event extends DomainEvent = DomainEvent> = {
  [Type in Event['type']]: HistoryWording<Extract<Event, { type: Type }>['data']>;
};
