/** A fact in the past tense. `data` is JSON: ids, integer cents, ISO instants, calendar dates. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Which fields of an event are about a person; they are stored encrypted with that person's key. */
export interface PersonalFields<Data> {
  /** Id of the person whose key encrypts: a field of the data, or the tenant's id for what only concerns the trainer. */
  person(data: Data, tenantId: string): string;
  /**
   * Text fields (string or null). After the person is forgotten they read as null. They are opened before the
   * upcasters run: a personal field keeps its name in every version.
   */
  fields: readonly (keyof Data & string)[];
  /** First version that stores them encrypted: 1 unless told. */
  since?: number;
}

export interface EventDefinition<Data> {
  /** Version of the stored shape. A stored shape never changes: a new shape is a new version with an upcaster. */
  schemaVersion: number;
  personal?: PersonalFields<Data>;
  /** The event forgets a person: the key of whom it names is destroyed in the transaction that appends it. */
  forgets?(data: Data): string;
  /** `upcasters[n]` turns the data of version n into that of version n + 1. A `sqlProjection` reads what is stored. */
  upcasters?: Record<number, (data: never) => object>;
}

/** State that events fold into. Pure: no I/O and no clock; time arrives in the command. */
export interface Aggregate<State, Event extends DomainEvent> {
  /** First part of the stream's id: `name:id`. */
  name: string;
  initialState: State;
  evolve(state: State, event: Event): State;
  events: { [Type in Event['type']]: EventDefinition<Extract<Event, { type: Type }>['data']> };
  /**
   * For streams that grow for years: number of this way to fold. Commands keep the state then and read on from there. The
   * number rises with every change of the state's shape or of `evolve`; the state is JSON and holds nothing personal.
   */
  fold?: number;
}

export function streamId(aggregate: { name: string }, id: string): string {
  return `${aggregate.name}:${id}`;
}

/** Those of `wanted` that differ from what stands. Absent and undefined fields are not wanted. */
export function changedFields<Fields extends object>(
  current: Fields,
  wanted: Partial<Fields>,
): Partial<Fields> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && value !== current[field as keyof Fields],
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
