import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../http/problem.js';
import type { Used } from './uses.js';

/** A fact in the past tense. `data` is JSON: ids, integer cents, ISO instants, calendar dates. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Path of a text in an event: `nome`, `antes.observacoes`, `participantes[].nota`, `notas[]`. */
type TextPath<Field extends string> = Field | `${Field}.${string}` | `${Field}[]` | `${Field}[].${string}`;

/** Legal retention: data about a forgotten person that the law makes the trainer keep. */
export interface Retention<Data> {
  /** Short name, stored with the key: it never changes. */
  name: string;
  /** What is kept and why, in Portuguese, as shown before a person is forgotten. */
  what: string;
  why: string;
  /**
   * Last day on which it is kept ('YYYY-MM-DD'). A person has one key for each name and day, so prefer the end of a
   * year to a different day for each event.
   */
  until(data: Data): string;
}

/** Texts of an event about one person (or one person per list item). They are stored encrypted with that person's key. */
export interface PersonalFields<Data> {
  /**
   * Id of the person whose key encrypts the texts: a field of the data, or the tenant's id for texts that concern only
   * the trainer. `at` has the index in each list on the text's path.
   */
  person(data: Data, tenantId: string, at: readonly number[]): string;
  /**
   * The texts (string or null). After the person is forgotten they read as null. They are decrypted before the
   * upcasters run, so a personal field keeps its path in every version.
   */
  fields: readonly TextPath<keyof Data & string>[];
  /** First schema version that stores them encrypted; default 1. */
  since?: number;
  /** They are encrypted with a separate key. When the person is forgotten, that key is kept until the term ends. */
  retention?: Retention<Data>;
}

/** A key that an event destroys: that of a person, or a retention key. */
export interface DestroyedKey {
  person: string;
  key: string;
}

export interface EventDefinition<Data> {
  /** Version of the stored shape. A stored shape never changes: a new shape is a new version with an upcaster. */
  schemaVersion: number;
  /** Its personal texts, for each person whose key encrypts them. */
  personal?: PersonalFields<Data> | readonly PersonalFields<Data>[];
  /**
   * Ids of students, plans or locations that the event uses permanently: they can no longer be removed. 'nothing new':
   * an earlier event of the stream declared the use, or the use does not prevent a removal.
   */
  uses?: ((data: Data) => Used) | 'nothing new';
  /**
   * The same, but only until a later event of the stream declares another id of that kind: null releases it, undefined
   * keeps it.
   */
  usesNow?: (data: Data) => Used;
  /** The event forgets a person or ends a retention: the key is destroyed in the transaction that appends it. */
  forgets?(data: Data): string | DestroyedKey;
  /** `upcasters[n]` turns the data of version n into that of version n + 1. SQL reads the stored version (`storedEvents`). */
  upcasters?: Record<number, (data: never) => object>;
}

/** State that events are folded into. Pure: no I/O and no clock; the command contains the time. */
export interface Aggregate<State, Event extends DomainEvent> {
  /** First part of the stream's id: `name:id`. */
  name: string;
  initialState: State;
  evolve(state: State, event: Event): State;
  events: { [Type in Event['type']]: EventDefinition<Extract<Event, { type: Type }>['data']> };
  /**
   * For streams that grow for years: version of the fold. Commands store snapshots of the state and read the events
   * after the last one. Increase it with every change of the state's shape or of `evolve`; the state is JSON without
   * personal data.
   */
  fold?: number;
}

export function streamId(aggregate: { name: string }, id: string): string {
  return `${aggregate.name}:${id}`;
}

/** The fields of `wanted` that differ from the current ones; absent and undefined fields are left out. */
export function changedFields<Fields extends object>(
  current: Fields,
  wanted: Partial<Fields>,
): Partial<Fields> {
  const changed = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, current[field as keyof Fields]),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}

/** 409 for an undo of a change that was replaced since. `what`: the changed thing with its article, such as "A sessão". */
export function changedSince(what: string): Problem {
  const [one, several] = what.startsWith('A') ? ['ela está', 'elas estão'] : ['ele está', 'eles estão'];
  const [changed, are] = what.split(' ')[0]!.endsWith('s') ? ['mudaram', several] : ['mudou', one];
  return new Problem('changed_since', {
    detail: `${what} ${changed} depois dessa alteração. Confira como ${are} agora.`,
  });
}

/**
 * For undos: `seen` (`se_ainda` of a body) is what the change that is undone has set.
 * @throws Problem 409 if one of these fields has another value by now
 */
export function refuseChanged<Fields extends object>(
  what: string,
  current: Fields,
  seen: { [Name in keyof Fields]?: NoInfer<Fields>[Name] | undefined } = {},
): void {
  if (Object.keys(changedFields(current, seen as Partial<Fields>)).length > 0) throw changedSince(what);
}
