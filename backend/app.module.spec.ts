import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eventFixture, eventFixtures } from '../test/support/event-fixtures.js';
import { AppModule } from './app.module.js';
import type { Aggregate, DomainEvent } from './platform/event-store/aggregate.js';
import type { Config } from './platform/config/env.js';
import { EventCodec, type StoredEvent } from './platform/event-store/event-codec.js';
import { PersonalData } from './platform/event-store/personal-data.js';
import type { HistoryWords } from './platform/event-store/history.js';
import { storedReads } from './platform/event-store/stored-events.js';
import { personalNames } from './platform/event-store/personal-names.api.js';
import { partsOf, personalTexts } from './platform/event-store/personal-fields.js';
import { type Feature, featuresOf } from './platform/features.js';
import { platformJobs } from './platform/jobs/platform-jobs.js';

const modules = Reflect.getMetadata('imports', AppModule) as { name: string; feature?: Feature }[];
const features = modules.flatMap(({ feature }) => feature ?? []);
const aggregates = features.flatMap(
  (feature) => (feature.aggregates ?? []) as unknown as Aggregate<unknown, DomainEvent>[],
);
const history: HistoryWords = Object.fromEntries(
  features.flatMap(({ history: words }) => Object.entries(words ?? {})),
);

const TENANT = '0b9f6c1e-6f0a-4a6e-9a55-2f4c3b1d7e01';

/** Events about the tenant itself belong to no entity whose history could be shown. */
const untold = ['TenantOpened', 'TenantClosed'];

/** The values at a path, of which there may be several in a list. */
function at(data: unknown, [first, ...rest]: string[]): unknown[] {
  if (first === undefined) return [data];
  const value = (data as Record<string, unknown> | null | undefined)?.[first.replace('[]', '')];
  return first.endsWith('[]')
    ? ((value ?? []) as unknown[]).flatMap((item) => at(item, rest))
    : at(value, rest);
}

const versions = (aggregate: Aggregate<unknown, DomainEvent>) =>
  Object.entries(aggregate.events).flatMap(([type, { schemaVersion }]) =>
    Array.from({ length: schemaVersion }, (_, n) => ({ type, version: n + 1 })),
  );

/** The stored event as code reads it: through every upcaster from its version on. */
function read(aggregate: Aggregate<unknown, DomainEvent>, type: string, version: number): DomainEvent {
  const { schemaVersion, upcasters } = aggregate.events[type]!;
  let data: object = eventFixture(type, version)!;
  for (let from = version; from < schemaVersion; from += 1) data = upcasters![from]!(data as never);
  return { type, data };
}

describe.each(aggregates)('the stored events of $name', (aggregate) => {
  it.each(versions(aggregate))('$type of version $version is still read', ({ type, version }) => {
    const { data } = read(aggregate, type, version);
    const paths = partsOf(aggregate.events[type] as never).flatMap(({ fields }) => fields);
    const values = paths.flatMap((path) => at(data, path.split('.')));
    for (const value of values) expect([undefined, null, expect.any(String)]).toContainEqual(value);
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
    .map(([type, definition]) => {
      const { data } = read(aggregate, type, definition.schemaVersion);
      const forgotten = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
      for (const { replace } of personalTexts(definition, forgotten, TENANT)) replace(null);
      return { type, data, forgotten };
    }),
);

it.each(told)('$type has words in the history, also of a forgotten person', ({ type, data, forgotten }) => {
  const wording = history[type]!;
  for (const known of [data, forgotten] as never[]) {
    const words = wording.words(known, 'America/Sao_Paulo');
    expect(words).toMatch(/^\p{Lu}/u);
    expect(words).not.toMatch(/null|undefined|NaN/);
    for (const subject of wording.subjects(known, TENANT)) expect(subject).toMatch(/^[a-z]+:[0-9a-f-]{36}$/);
  }
});

/** `StudentNotesModule` is in the folder `student-notes`. */
const folderOf = (name: string) =>
  name
    .replace(/Module$/, '')
    .replaceAll(/\B[A-Z]/g, '-$&')
    .toLowerCase();

it('the fixtures of a module are those of its events, one of each version', () => {
  const defined = modules.flatMap(({ name, feature }) =>
    ((feature?.aggregates ?? []) as unknown as typeof aggregates)
      .flatMap(versions)
      .map(({ type, version }) => `${folderOf(name)} ${type} ${version}`),
  );
  const kept = Object.entries(eventFixtures).flatMap(([module, types]) =>
    Object.entries(types).flatMap(([type, data]) =>
      Object.keys(data).map((version) => `${module} ${type} ${version}`),
    ),
  );
  expect(kept.sort()).toEqual(defined.sort());
});

const releases = new URL('../test/fixtures/releases/', import.meta.url);

it.each(readdirSync(releases))('no event has changed that was published with %s', (file) => {
  const [header] = gunzipSync(readFileSync(new URL(file, releases)))
    .toString('utf8')
    .split('\n', 1);
  const { events } = JSON.parse(header!) as { events: Record<string, string> };
  const now = Object.keys(events).map((key) => {
    const [type, version] = key.split(' ') as [string, string];
    const data = JSON.stringify(eventFixture(type, Number(version)));
    return [key, createHash('sha256').update(data).digest('hex').slice(0, 8)];
  });
  expect(Object.fromEntries(now)).toEqual(events);
});

const { projections, guards, reactions } = featuresOf(AppModule).all;

const registered = aggregates.flatMap((aggregate) =>
  Object.entries(aggregate.events).map(([type, { schemaVersion }]) => ({
    type,
    data: read(aggregate, type, schemaVersion).data as Record<string, unknown>,
  })),
);

const stored = (type: string, data: Record<string, unknown>): StoredEvent => ({
  tenantId: TENANT,
  position: 1,
  streamId: `some:${TENANT}`,
  version: 1,
  type,
  data,
  meta: { actor: TENANT, device: null, request: 'r', command: 'C' },
  recordedAt: new Date('2026-11-02T13:00:00.000Z'),
  isAsStored: true,
});

/** The values that a projection folded in Node would write; a refusal of the event is thrown. */
function written(projection: (typeof projections)[number], event: StoredEvent): unknown[] {
  const batch = { ranges: [{ tenantId: TENANT, low: 0, high: 1 }], events: [event] };
  const read = (projection.reads?.(batch) ?? []).map((_, n) => (n === 1 ? [{ name: 'id' }] : []));
  return projection.writes(batch, read).flatMap(({ values }) => values);
}

/** A consumer that does not know the event type throws or returns nothing. */
function ofUnknown(ask: () => unknown): unknown {
  try {
    return ask() ?? 'nothing';
  } catch {
    return 'nothing';
  }
}

const UNKNOWN = 'NeverHeardOf';

const keys = { get: () => Buffer.alloc(32, 7) };
const codec = new EventCodec(featuresOf(AppModule), new PersonalData({ masterKey: keys.get() } as Config));
const everyVersion = aggregates.flatMap((aggregate) =>
  versions(aggregate).map((each) => ({ ...each, stream_id: `${aggregate.name}:1` })),
);

it.each(everyVersion)('an archive gives $type of version $version back as it was stored', (event) => {
  const { type, version: schema_version, stream_id } = event;
  const row = {
    tenant_id: TENANT,
    stream_id,
    version: 1,
    type,
    schema_version,
    data: eventFixture(type, schema_version)!,
  };
  const sealed = { ...row, data: codec.sealedData(row, keys) };
  expect(codec.clearData(sealed, keys)).toEqual(row.data);
  const texts = personalTexts(codec.definition(type), row.data, TENANT);
  const hidden = texts.filter(({ since, value }) => schema_version >= since && value.length > 3);
  for (const { value } of hidden) expect(JSON.stringify(sealed.data)).not.toContain(`"${value}"`);
});

/** Each aggregate before its first event, and after one. */
const states = aggregates.flatMap((aggregate) => {
  const [[first, { schemaVersion }]] = Object.entries(aggregate.events) as [
    [string, (typeof aggregate.events)[string]],
  ];
  const before = read(aggregate, first, schemaVersion);
  return [aggregate.initialState, aggregate.evolve(aggregate.initialState, before)].map((state) => ({
    aggregate,
    state,
  }));
});

describe.each(registered)('the event $type', ({ type, data }) => {
  it('is handled by every consumer that lists it, and ignored by all of them under an unknown name', () => {
    const folding = projections.filter(({ needsEvents }) => needsEvents);
    for (const projection of folding.filter(({ events }) => events.includes(type)))
      expect(written(projection, stored(type, data))).toBeDefined();
    for (const guard of guards.filter(({ events }) => events.includes(type)))
      for (const { text } of guard.statements(stored(type, data))) expect(text).toMatch(/\w/);

    const isTaken = (take: () => unknown) => ofUnknown(take) !== 'nothing';
    const takers = [
      ...folding.filter((projection) => isTaken(() => written(projection, stored(UNKNOWN, data)))),
      ...guards.filter((guard) => isTaken(() => guard.statements(stored(UNKNOWN, data))[0])),
    ];
    expect(takers.map(({ name }) => name)).toEqual([]);
    const changed = states.filter(({ aggregate, state }) => {
      const after = ofUnknown(() => aggregate.evolve(state, { type: UNKNOWN, data }));
      return after !== 'nothing' && !isDeepStrictEqual(after, state);
    });
    expect(changed.map(({ aggregate }) => aggregate.name)).toEqual([]);
  });

  it('is projected into rows', () => {
    const takers = projections.filter(({ name, events }) => name !== 'history' && events.includes(type));
    if (unprojected.includes(type)) expect(takers).toEqual([]);
    else expect(takers).not.toEqual([]);
  });
});

/** The row that a projection folded in Node writes, parsed; undefined if it writes none. */
function rowOf(projection: (typeof projections)[number], event: StoredEvent, row?: object): unknown {
  const batch = { ranges: [{ tenantId: TENANT, low: 0, high: 1 }], events: [event] };
  const existing = row ? [{ ...row, row }] : [];
  const [values] = projection
    .writes(batch, [existing, [{ name: 'id' }]])
    .map((statement) => statement.values);
  return typeof values?.[0] === 'string' ? (JSON.parse(values[0]) as unknown[])[0] : undefined;
}

it.each(projections.filter(({ needsEvents, name }) => needsEvents && name !== 'history'))(
  'the fold of $name writes no row for an event that it does not name',
  (projection) => {
    const first = registered
      .filter(({ type }) => projection.events.includes(type))
      .find(({ type, data }) => rowOf(projection, stored(type, data)))!;
    const row = { ...(rowOf(projection, stored(first.type, first.data)) as object), of: 'before' };
    const listed = projection.events as string[];
    listed.push(UNKNOWN);
    const after = ofUnknown(() => rowOf(projection, stored(UNKNOWN, first.data), row));
    listed.pop();
    expect(['nothing', row]).toContainEqual(after);
  },
);

/** Texts that are not about a person: ids, instants, days, times, zones, hashes, our own codes, recurrence rules, sort keys. */
const aboutNobody = [
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/,
  /^\d\d:\d\d$/,
  /^[A-Z]\w+\/[A-Z]\w+$/,
  /^[\da-f]{64}$/,
  /^[a-z]+(_[a-z]+)*$/,
  /^FREQ=/,
  /^[a-zA-Z]\d[\da-zA-Z]*$/,
  // Ids of Meta.
  /^\d{15}$/,
];

function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(textsIn) : [];
}

it.each(registered)('every text of $type that may be about a person is declared', ({ type, data }) => {
  const definition = aggregates.find((aggregate) => type in aggregate.events)!.events[type] as never;
  const undeclared = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  for (const { replace } of personalTexts(definition, undeclared, TENANT)) replace(null);
  expect(textsIn(undeclared).filter((text) => !aboutNobody.some((form) => form.test(text)))).toEqual([]);
});

it('the field name of every personal text is listed in personal-names.api.ts', () => {
  const paths = aggregates.flatMap(({ events }) =>
    Object.values(events).flatMap((definition) =>
      partsOf(definition as never).flatMap(({ fields }) => fields),
    ),
  );
  const names = paths.map((path) => path.split('.').at(-1)!.replace('[]', ''));
  expect(names.filter((name) => !personalNames.has(name))).toEqual([]);
});

/** The aggregate whose id a field holds, by the end of the field name. */
const owners = { student_id: 'student', location_id: 'location', plano_id: 'plan', plan_id: 'plan' };

/** Names of the aggregates whose ids the data contains, at any depth. */
function named(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([field, value]) => {
    const owner = Object.entries(owners).find(([name]) => field === name || field.endsWith(`_${name}`));
    return [...(owner ? [owner[1]] : []), ...named(value)];
  });
}

const declaring = aggregates.flatMap((aggregate) =>
  Object.entries(aggregate.events).map(([type, definition]) => {
    const { data } = read(aggregate, type, definition.schemaVersion);
    const others = [...new Set(named(data))].filter((name) => name !== aggregate.name).sort();
    return { type, ...definition, data, others };
  }),
);

it.each(declaring.filter(({ others }) => others.length > 0))(
  '$type declares what it uses: $others cannot be removed meanwhile',
  ({ uses, usesNow, data, others }) => {
    expect(uses ?? usesNow).toBeDefined();
    const declared = usesNow ? usesNow(data) : typeof uses === 'function' ? uses(data) : undefined;
    if (declared) expect(Object.keys(declared)).toEqual(expect.arrayContaining(others));
  },
);

it('every job with a payload names the sweep that makes its failures good, but those of the projection runner', () => {
  const jobs = [...platformJobs, ...featuresOf(AppModule).all.jobs];
  const unswept = jobs.filter(({ schedule, sweptBy }) => !schedule && !sweptBy).map(({ name }) => name);
  expect(unswept).toEqual(['projections']);
  for (const { sweptBy } of jobs) expect(sweptBy === undefined || jobs.includes(sweptBy)).toBe(true);
});

it('everything that an event declares as used is the name of an aggregate', () => {
  const names = aggregates.map(({ name }) => name);
  for (const { uses, usesNow, data } of declaring) {
    const declared = usesNow ? usesNow(data) : typeof uses === 'function' ? uses(data) : {};
    expect(names).toEqual(expect.arrayContaining(Object.keys(declared)));
  }
});

/** Only the history has rows of these events: the time zone and the account are not stored in read tables. */
const unprojected = [
  'TenantOpened',
  'TenantClosed',
  'PersonForgotten',
  'RetentionEnded',
  // The session's own events say what changed in the session.
  'SessionChangedByStudent',
  'SessionChangeUndone',
  // What passed from one student to another has events of its own, and the lots are the other account's.
  'StudentsMerged',
  'StudentsUnmerged',
  'CreditsHandedOver',
];

it('every event that a consumer lists is one that an aggregate defines', () => {
  const defined = registered.map(({ type }) => type);
  for (const { events } of [...projections, ...guards, ...reactions])
    expect(defined).toEqual(expect.arrayContaining([...events]));
});

it('no set-based projection takes other events than it names by an "else"', () => {
  const batch = { ranges: [{ tenantId: TENANT, low: 0, high: 1 }], events: [] };
  for (const projection of projections.filter(({ needsEvents }) => !needsEvents))
    for (const { text } of projection.writes(batch, [])) {
      const own = text.replaceAll('else refuse_event_version(', '');
      expect([projection.name, own]).toEqual([projection.name, expect.not.stringMatching(/\belse\b/i)]);
    }
});

it('every statement on stored events handles all schema versions of its events', () => {
  const read = storedReads.flatMap((each) => Object.entries(each));
  expect(read).toContainEqual(['CancellationPolicySet', [1]]);
  for (const [type, versions] of read) {
    const definition = aggregates.find((aggregate) => type in aggregate.events)?.events[type];
    const all = Array.from({ length: definition?.schemaVersion ?? 0 }, (_, n) => n + 1);
    expect([type, versions]).toEqual([type, all]);
  }
});

/** Files whose statements name the table `events` themselves, but read no data of an event past its upcasters. */
const readNoData = [
  'accounts/own-data/export-sections.ts', // decoded by the export
  'agenda/session-terms.loads.ts', // position of the booking
  'agenda/sessions-bulk.commands.ts', // position
  'audit/audit.module.ts', // copied as stored where no upcaster has changed it
  'audit/why.queries.ts', // who, when and on which device
  'charges/payment-page.queries.ts', // positions
  'contracts/signed-copies.service.ts', // position and hash of the signature
  'contracts/verification.queries.ts', // the same
  'credits/credits.queries.ts', // position and hash of the newest entry
  'dossier/dossier.queries.ts', // hash of the newest record
  'merging/belongings.loads.ts', // streams and positions
  'public-link/strangers.loads.ts', // position
  'public-link/visitor-demand.ts', // number
  'public-link/visits.commands.ts', // streams
  'receipts/receipts.queries.ts', // position and hash of the payment
  'seals/integrity-checks.service.ts', // number
  'seals/seal-check.service.ts', // positions and hashes
  'student-area/booking.commands.ts', // type
  'vacations/vacations.commands.ts', // position
];

it('the data of stored events is read only through storedEvents', () => {
  const modules = new URL('modules/', import.meta.url);
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const readers = files.filter((file) =>
    /\b(from|join) events\b|'events( as \w+)?'/.test(readFileSync(new URL(file, modules), 'utf8')),
  );
  expect(readers.map((file) => file.replaceAll('\\', '/')).sort()).toEqual(readNoData);
});
