import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';

/** The state of an aggregate after these events. */
export function given<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  ...events: readonly Event[]
): State {
  return events.reduce((state, event) => aggregate.evolve(state, event), aggregate.initialState);
}
