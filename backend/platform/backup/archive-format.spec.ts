import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { CARRIED } from './tenant-archive.js';

const page = readFileSync('docs/archive-format.md', 'utf8');
const schema = readFileSync('backend/platform/database/schema.generated.ts', 'utf8');
const format = readFileSync('backend/platform/backup/tenant-archive.ts', 'utf8');
const codec = readFileSync('backend/platform/event-store/event-codec.ts', 'utf8');

/** Names of the fields of an interface, also of objects in it. */
const fieldsOf = (source: string, name: string): string[] => {
  const [, body] = new RegExp(`interface ${name} \\{\\n([^]*?)\\n\\}`).exec(source)!;
  const code = body!.replace(/\/\*\*[^]*?\*\//g, '');
  return [...code.matchAll(/(\w+)\??: /g)].map(([, field]) => field!);
};
/** What the page says of this table or kind: its row, and those below without a name of their own. */
const saidOf = (name: string) =>
  new RegExp(`^\\| \`${name}\` .*\\n(?:\\| {3}.*\\n)*`, 'm').exec(page)?.[0] ?? '';

const kinds = {
  header: 'Header',
  account: 'AccountLine',
  row: 'RowLine',
  key: 'KeyLine',
  event: 'EventLine',
  file: 'FileLine',
};

it.each(Object.entries(kinds))(
  'the page of the format has every field of a line of kind %s',
  (kind, name) => {
    const fields = fieldsOf(format, name).filter((field) => field !== 'kind');
    expect(fields.length).toBeGreaterThan(1);
    for (const field of fields) expect(saidOf(kind)).toContain(`\`${field}\``);
  },
);

it('the page has every field of an event that says who did it', () => {
  // The origin stays in the Rende that imported it.
  const fields = fieldsOf(codec, 'EventMeta').filter((field) => !['origin', 'hash', 'at'].includes(field));
  for (const field of fields) expect(saidOf('event')).toContain(`\`${field}\``);
});

it.each(Object.keys(CARRIED))('the page has every column of the table %s', (table) => {
  const name = new RegExp(`^  ${table}: (\\w+);`, 'm').exec(schema)![1]!;
  for (const column of fieldsOf(schema, name).filter((each) => each !== 'tenant_id'))
    expect(saidOf(table)).toContain(`\`${column}\``);
});
