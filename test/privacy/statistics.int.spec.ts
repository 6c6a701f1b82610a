import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { AppModule } from '../../backend/app.module.js';
import type { StoredEvent } from '../../backend/platform/event-store/event-codec.js';
import { personalTexts } from '../../backend/platform/event-store/personal-fields.js';
import { featuresOf } from '../../backend/platform/features.js';
import type { Projection } from '../../backend/platform/projections/projection.js';
import { testDatabase } from '../support/database.js';
import { eventFixture } from '../support/event-fixtures.js';

const TENANT = '0b9f6c1e-6f0a-4a6e-9a55-2f4c3b1d7e01';
const MARK = 'marcado';
const features = featuresOf(AppModule).all;

/** The newest fixture of each event with personal data, with marked texts. */
const marked = features.aggregates.flatMap(({ name, events }) =>
  Object.entries(events).flatMap(([type, definition]) => {
    const data = eventFixture(type, definition.schemaVersion);
    if (!data) return [];
    const texts = personalTexts(definition as never, data, TENANT);
    for (const { replace } of texts) replace(MARK);
    const event: StoredEvent = {
      tenantId: TENANT,
      position: 1,
      streamId: `${name}:${TENANT}`,
      version: 1,
      type,
      data,
      meta: { actor: TENANT, device: null, request: 'r', command: 'C' },
      recordedAt: new Date('2026-11-02T13:00:00.000Z'),
      isAsStored: false,
    };
    return texts.length > 0 ? [event] : [];
  }),
);

/** The columns of a projection folded in Node that contain a marked text. */
function columnsWithMark(projection: Projection): string[] {
  const columns = marked
    .filter(({ type }) => projection.events.includes(type))
    .flatMap((event) => {
      // Not by `writes`, which would remember columns that are no table's: other files use the same projections.
      if (projection.fold) {
        const rows = new Map<string, object>();
        projection.fold(rows, event);
        return [...rows.values()];
      }
      const batch = { ranges: [{ tenantId: TENANT, low: 0, high: 1 }], events: [event] };
      return projection
        .writes(
          batch,
          (projection.reads?.(batch) ?? []).map(() => []),
        )
        .flatMap(({ values }) =>
          values.filter((value) => typeof value === 'string' && value.startsWith('[{')),
        )
        .flatMap((text) => JSON.parse(text as string) as object[]);
    })
    .flatMap((row) => Object.entries(row))
    .filter(([, value]) => JSON.stringify(value ?? null).includes(MARK))
    .map(([column]) => column);
  return [...new Set(columns)];
}

it('the planner stores no samples of any column with texts about persons', async () => {
  const database = await testDatabase();
  const columns = features.projections
    .filter(({ needsEvents }) => needsEvents)
    .flatMap((projection) =>
      columnsWithMark(projection).map((column) => ({ table: projection.tables[0]!, column })),
    );
  expect(columns).toContainEqual({ table: 'students', column: 'busca' });
  expect(columns).toContainEqual({ table: 'history', column: 'data' });
  const sampled: string[] = [];
  for (const { table, column } of columns) {
    const found = await database.query<{ target: number | null }>(
      `select attstattarget as target from pg_attribute where attrelid = format('read.%I', $1::text)::regclass and attname = $2`,
      [table, column],
    );
    if (found[0]?.target !== 0) sampled.push(`${table}.${column}`);
  }
  expect(sampled).toEqual([]);
});
