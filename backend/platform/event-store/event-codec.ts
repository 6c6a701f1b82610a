import { Injectable } from '@nestjs/common';
import { FeatureRegistry } from '../features.js';
import type { DomainEvent, EventDefinition } from './aggregate.js';
import { PersonalData } from './personal-data.js';

/** An event as its row holds it: personal fields are ciphertext, the shape is that of `schema_version`. */
export interface EventRow {
  tenant_id: string;
  position: number;
  stream_id: string;
  version: number;
  type: string;
  schema_version: number;
  data: Record<string, unknown>;
  meta: EventMeta;
  recorded_at: Date;
}

/** The part of a row that aggregates fold. */
export type FactRow = Pick<
  EventRow,
  'tenant_id' | 'stream_id' | 'version' | 'type' | 'schema_version' | 'data'
>;

/** Ids only, never personal data. */
export interface EventMeta {
  actor: string;
  /** The session it came from; null for what no person asked for. */
  device: string | null;
  request: string;
  /** Class name of the command. */
  command: string;
}

/** An event as code reads it: newest shape, personal fields in clear, or null once the person is forgotten. */
export interface StoredEvent<Data = Record<string, unknown>> {
  tenantId: string;
  position: number;
  streamId: string;
  version: number;
  type: string;
  data: Data;
  meta: EventMeta;
  recordedAt: Date;
  /** Whether the log holds the very same data: nothing in it is personal, and its shape is the newest. */
  isAsStored: boolean;
}

/** Keys by person; a person without an entry is forgotten. */
export type PersonKeys = Pick<ReadonlyMap<string, Buffer>, 'get'>;

type AnyDefinition = EventDefinition<Record<string, unknown>>;

/** What an aggregate of any state and any event has in common with the others. */
export interface RegisteredAggregate {
  name: string;
  initialState: unknown;
  evolve(state: never, event: never): unknown;
  events: Record<string, EventDefinition<never>>;
  fold?: number;
}

/** Turns events into rows and back, for every event type of the registered aggregates. */
@Injectable()
export class EventCodec {
  private gathered: Map<string, AnyDefinition> | undefined;

  constructor(
    private readonly features: FeatureRegistry,
    private readonly personalData: PersonalData,
  ) {}

  private get definitions(): Map<string, AnyDefinition> {
    return (this.gathered ??= gather(this.features.all.aggregates));
  }

  /** @throws Error where no aggregate defines the type */
  definition(type: string): AnyDefinition {
    const definition = this.definitions.get(type);
    if (!definition) throw new Error(`no aggregate defines the event type ${type}`);
    return definition;
  }

  /** What a stream folds to; undefined where no module knows it. */
  aggregateOf(streamId: string): RegisteredAggregate | undefined {
    const name = streamId.slice(0, streamId.indexOf(':'));
    return this.features.all.aggregates.find((aggregate) => aggregate.name === name);
  }

  /** Whose key the event's personal fields need; undefined where nothing personal is in it. */
  personOf(type: string, data: Record<string, unknown>, tenantId: string): string | undefined {
    const { personal } = this.definition(type);
    const filled = personal?.fields.some((field) => data[field] !== null && data[field] !== undefined);
    return filled ? personal?.person(data, tenantId) : undefined;
  }

  /** The types of event that forget a person. */
  get forgetting(): string[] {
    return [...this.definitions].filter(([, definition]) => 'forgets' in definition).map(([type]) => type);
  }

  /** Whom the event forgets; undefined for every other event. */
  forgottenBy(type: string, data: Record<string, unknown>): string | undefined {
    return this.definitions.get(type)?.forgets?.(data);
  }

  encode(
    event: DomainEvent,
    at: { tenantId: string; streamId: string; version: number },
    keys: PersonKeys,
  ): { schemaVersion: number; data: Record<string, unknown> } {
    const { schemaVersion, personal } = this.definition(event.type);
    const data: Record<string, unknown> = { ...event.data };
    const person = this.personOf(event.type, data, at.tenantId);
    const key = person === undefined ? undefined : keys.get(person);
    for (const field of personal?.fields ?? []) {
      const value = data[field];
      if (value === null || value === undefined) continue;
      // What is said about a forgotten person is not kept.
      data[field] = key ? this.personalData.encrypt(key, value, fieldContext(at, field)) : null;
    }
    return { schemaVersion, data };
  }

  decode(row: EventRow, keys: PersonKeys): StoredEvent {
    return {
      tenantId: row.tenant_id,
      position: row.position,
      streamId: row.stream_id,
      version: row.version,
      type: row.type,
      data: this.decodeData(row, keys),
      meta: row.meta,
      recordedAt: row.recorded_at,
      isAsStored:
        this.definition(row.type).schemaVersion === row.schema_version &&
        this.personOf(row.type, row.data, row.tenant_id) === undefined,
    };
  }

  /** The event's data in its newest shape, personal fields in clear. */
  decodeData(row: FactRow, keys: PersonKeys): Record<string, unknown> {
    const { schemaVersion, personal, upcasters } = this.definition(row.type);
    let data = { ...row.data };
    const at = { tenantId: row.tenant_id, streamId: row.stream_id, version: row.version };
    const person = this.personOf(row.type, data, row.tenant_id);
    const key = person === undefined ? undefined : keys.get(person);
    for (const field of personal?.fields ?? []) {
      const stored = data[field];
      if (typeof stored !== 'string') continue;
      if (!key) data[field] = null;
      else if (row.schema_version >= (personal?.since ?? 1))
        data[field] = this.personalData.decrypt(key, stored, fieldContext(at, field));
    }
    for (let version = row.schema_version; version < schemaVersion; version += 1) {
      const upcast = upcasters?.[version];
      if (!upcast) throw new Error(`${row.type} has no upcaster from version ${version}`);
      data = upcast(data as never) as Record<string, unknown>;
    }
    return data;
  }

  /** Persons whose keys these rows need, as pairs of tenant and person. */
  personsOf(rows: readonly FactRow[]): { tenantId: string; personId: string }[] {
    const persons = new Map<string, { tenantId: string; personId: string }>();
    for (const row of rows) {
      const personId = this.personOf(row.type, row.data, row.tenant_id);
      if (personId !== undefined)
        persons.set(`${row.tenant_id}/${personId}`, { tenantId: row.tenant_id, personId });
    }
    return [...persons.values()];
  }
}

function gather(aggregates: readonly RegisteredAggregate[]): Map<string, AnyDefinition> {
  const definitions = new Map<string, AnyDefinition>();
  for (const aggregate of aggregates) {
    for (const [type, definition] of Object.entries(aggregate.events)) {
      if (definitions.has(type)) throw new Error(`event type ${type} is defined twice`);
      definitions.set(type, definition as unknown as AnyDefinition);
    }
  }
  return definitions;
}

function fieldContext(at: { tenantId: string; streamId: string; version: number }, field: string): string {
  return `${at.tenantId}/${at.streamId}/${at.version}/${field}`;
}
