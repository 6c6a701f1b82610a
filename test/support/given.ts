import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';

/** State of an aggregate to which this has happened. */
export function given<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  ...events: readonly Event[]
): State {
  return events.reduce((state, event) => aggregate.evolve(state, event), aggregate.initialState);
}
