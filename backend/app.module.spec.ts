import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppModule } from './app.module.js';
import type { Aggregate, DomainEvent } from './platform/event-store/aggregate.js';
import type { HistoryWords } from './platform/event-store/history.js';
import type { Feature } from './platform/features.js';

const folder = new URL('../test/fixtures/events/', import.meta.url);

const features = (Reflect.getMetadata('imports', AppModule) as { feature?: Feature }[]).flatMap(
  ({ feature }) => feature ?? [],
);
const aggregates = features.flatMap(
  (feature) => (feature.aggregates ?? []) as unknown as Aggregate<unknown, DomainEvent>[],
);
const history: HistoryWords = Object.fromEntries(
  features.flatMap(({ history: words }) => Object.entries(words ?? {})),
);

const TENANT = '0b9f6c1e-6f0a-4a6e-9a55-2f4c3b1d7e01';

/** Of the tenant itself there is no history to look at. */
const untold = ['TenantOpened', 'TenantClosed'];

const versions = (aggregate: Aggregate<unknown, DomainEvent>) =>
  Object.entries(aggregate.events).flatMap(([type, { schemaVersion }]) =>
    Array.from({ length: schemaVersion }, (_, n) => ({ type, version: n + 1 })),
  );

/** The stored event as code reads it: through every upcaster from its version on. */
function read(aggregate: Aggregate<unknown, DomainEvent>, type: string, version: number): DomainEvent {
  const { schemaVersion, upcasters } = aggregate.events[type]!;
  let data = JSON.parse(readFileSync(new URL(`${type}.v${version}.json`, folder), 'utf8')) as object;
  for (let from = version; from < schemaVersion; from += 1) data = upcasters![from]!(data as never);
  return { type, data };
}

describe.each(aggregates)('the stored events of $name', (aggregate) => {
  it.each(versions(aggregate))('$type of version $version is still read', ({ type, version }) => {
    const { data } = read(aggregate, type, version);
    for (const field of aggregate.events[type]!.personal?.fields ?? []) {
      expect([undefined, null, expect.any(String)]).toContainEqual((data as Record<string, unknown>)[field]);
    }
  });

  it('fold one after another', () => {
    const events = versions(aggregate).map(({ type, version }) => read(aggregate, type, version));
    const states = events.reduce(
      (before, event) => [...before, aggregate.evolve(before.at(-1), event)],
      [aggregate.initialState],
    );
    expect(states.at(1)).not.toEqual(aggregate.initialState);
  });
});

const told = aggregates.flatMap((aggregate) =>
  Object.entries(aggregate.events)
    .filter(([type]) => !untold.includes(type))
    .map(([type, { schemaVersion, personal }]) => ({
      type,
      data: read(aggregate, type, schemaVersion).data,
      forgotten: Object.fromEntries((personal?.fields ?? []).map((field) => [field, null])),
    })),
);

it.each(told)('$type has words in the history, also of a forgotten person', ({ type, data, forgotten }) => {
  const wording = history[type]!;
  for (const known of [data, { ...data, ...forgotten }] as never[]) {
    const words = wording.words(known, 'America/Sao_Paulo');
    expect(words).toMatch(/^\p{Lu}/u);
    expect(words).not.toMatch(/null|undefined|NaN/);
    for (const subject of wording.subjects(known, TENANT)) expect(subject).toMatch(/^[a-z]+:[0-9a-f-]{36}$/);
  }
});

it('no fixture is left of an event that nothing defines', () => {
  const defined = aggregates.flatMap((aggregate) =>
    versions(aggregate).map(({ type, version }) => `${type}.v${version}.json`),
  );
  expect(readdirSync(folder).sort()).toEqual(defined.sort());
});
