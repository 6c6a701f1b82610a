import { Injectable } from '@nestjs/common';
import { FeatureRegistry } from '../features.js';
import type { DestroyedKey, DomainEvent, EventDefinition, Retention } from './aggregate.js';
import { PersonalData } from './personal-data.js';
import { copyFor, type KeyReference, partsOf, personalTexts } from './personal-fields.js';

/** An event in the form of its row: personal fields are ciphertext, and the data has the shape of `schema_version`. */
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

/** The part of a row that is needed to fold it. */
export type FactRow = Pick<
  EventRow,
  'tenant_id' | 'stream_id' | 'version' | 'type' | 'schema_version' | 'data'
>;

/** Ids only, never personal data. */
export interface EventMeta {
  actor: string;
  /** The session it came from; null where no person sent the command. */
  device: string | null;
  request: string;
  /** Class name of the command. */
  command: string;
  /** Of an event that came with an archive: its hash in the log in which it was recorded, and when it was imported. */
  origin?: { hash: string; at: string };
}

/**
 * An event in the form that code reads: newest shape, personal fields decrypted, or null once the person is forgotten.
 */
export interface StoredEvent<Data = Record<string, unknown>> {
  tenantId: string;
  position: number;
  streamId: string;
  version: number;
  type: string;
  data: Data;
  meta: EventMeta;
  recordedAt: Date;
  /** Whether decoding changes nothing: there are no personal fields, and the schema version is the newest. */
  isAsStored: boolean;
}

/** Keys by id; a key without an entry was destroyed. */
export type PersonKeys = Pick<ReadonlyMap<string, Buffer>, 'get'>;

type AnyDefinition = EventDefinition<Record<string, unknown>>;

/** The definition of an event, with its data type erased. */
export type RegisteredEvent = { [Part in keyof EventDefinition<never>]: unknown } & { schemaVersion: number };

/** An aggregate with the types of its state and events erased. */
export interface RegisteredAggregate {
  name: string;
  initialState: unknown;
  evolve(state: never, event: never): unknown;
  events: Record<string, RegisteredEvent>;
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

  /** Whether this version of Rende reads such an event: a newer one may have recorded it. */
  reads({ type, schema_version }: Pick<EventRow, 'type' | 'schema_version'>): boolean {
    return schema_version <= (this.definitions.get(type)?.schemaVersion ?? 0);
  }

  /** The aggregate of a stream; undefined where no module defines it. */
  aggregateOf(streamId: string): RegisteredAggregate | undefined {
    const name = streamId.slice(0, streamId.indexOf(':'));
    return this.features.all.aggregates.find((aggregate) => aggregate.name === name);
  }

  /** The keys of the event's personal fields; none if the event contains no personal data. */
  keysOf(type: string, data: Record<string, unknown>, tenantId: string): KeyReference[] {
    const texts = personalTexts(this.definition(type), data, tenantId);
    return [...new Map(texts.map(({ key }) => [key.id, key])).values()];
  }

  /** A retention by its name. */
  get retentions(): Map<string, Retention<never>> {
    const parts = [...this.definitions.values()].flatMap(partsOf);
    return new Map(parts.flatMap(({ retention }) => (retention ? [[retention.name, retention]] : [])));
  }

  /** The types of event that forget a person. */
  get typesThatForget(): string[] {
    return [...this.definitions].filter(([, definition]) => 'forgets' in definition).map(([type]) => type);
  }

  /** Whom the event forgets, and which key is destroyed for that; undefined for other events. */
  forgottenBy(type: string, data: Record<string, unknown>): DestroyedKey | undefined {
    const forgets = this.definitions.get(type)?.forgets?.(data);
    return typeof forgets === 'string' ? { person: forgets, key: forgets } : forgets;
  }

  encode(
    event: DomainEvent,
    at: { tenantId: string; streamId: string; version: number },
    keys: PersonKeys,
  ): { schemaVersion: number; data: Record<string, unknown> } {
    const definition = this.definition(event.type);
    const data = copyFor(definition, event.data as Record<string, unknown>);
    for (const {
      path,
      value,
      key: { id },
      replace,
    } of personalTexts(definition, data, at.tenantId)) {
      const key = keys.get(id);
      // Texts about a person who was forgotten are stored as null.
      replace(key ? this.personalData.encrypt(key, value, fieldContext(at, path)) : null);
    }
    return { schemaVersion: definition.schemaVersion, data };
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
        this.keysOf(row.type, row.data, row.tenant_id).length === 0,
    };
  }

  /** The event's data in its newest shape, personal fields decrypted. */
  decodeData(row: FactRow, keys: PersonKeys): Record<string, unknown> {
    const { schemaVersion, upcasters } = this.definition(row.type);
    let data = this.clearData(row, keys);
    for (let version = row.schema_version; version < schemaVersion; version += 1) {
      const upcast = upcasters?.[version];
      if (!upcast) throw new Error(`${row.type} has no upcaster from version ${version}`);
      data = upcast(data as never) as Record<string, unknown>;
    }
    return data;
  }

  /** The event's data in its stored shape, personal fields decrypted. */
  clearData(row: FactRow, keys: PersonKeys): Record<string, unknown> {
    return this.withTexts(
      row,
      keys,
      (key, value, context) => this.personalData.decrypt(key, value, context) as string,
    );
  }

  /** The inverse of `clearData`. */
  sealedData(row: FactRow, keys: PersonKeys): Record<string, unknown> {
    return this.withTexts(row, keys, (key, value, context) => this.personalData.encrypt(key, value, context));
  }

  /** The data with other texts where the row stores encrypted ones, and null where a key was destroyed. */
  private withTexts(
    row: FactRow,
    keys: PersonKeys,
    change: (key: Buffer, value: string, context: string) => string,
  ): Record<string, unknown> {
    const definition = this.definition(row.type);
    const data = copyFor(definition, row.data);
    const at = { tenantId: row.tenant_id, streamId: row.stream_id, version: row.version };
    for (const {
      path,
      value,
      key: { id },
      since,
      replace,
    } of personalTexts(definition, data, row.tenant_id)) {
      const key = keys.get(id);
      if (!key) replace(null);
      else if (row.schema_version >= since) replace(change(key, value, fieldContext(at, path)));
    }
    return data;
  }

  /** Keys that these rows need, as pairs of tenant and id. */
  keysOfAll(rows: readonly FactRow[]): { tenantId: string; keyId: string }[] {
    const keys = new Map<string, { tenantId: string; keyId: string }>();
    for (const { tenant_id: tenantId, type, data } of rows)
      for (const { id: keyId } of this.keysOf(type, data, tenantId))
        keys.set(`${tenantId}/${keyId}`, { tenantId, keyId });
    return [...keys.values()];
  }
}

function gather(aggregates: readonly RegisteredAggregate[]): Map<string, AnyDefinition> {
  const definitions = new Map<string, AnyDefinition>();
  for (const aggregate of aggregates) {
    for (const [type, definition] of Object.entries(aggregate.events)) {
      if (definitions.has(type)) throw new Error(`event type ${type} is defined twice`);
      definitions.set(type, definition as AnyDefinition);
    }
  }
  return definitions;
}

function fieldContext(at: { tenantId: string; streamId: string; version: number }, field: string): string {
  return `${at.tenantId}/${at.streamId}/${at.version}/${field}`;
}
