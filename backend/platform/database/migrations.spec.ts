import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const additive = readdirSync('migrations').filter((name) => name.endsWith('.additive.sql'));

/** Statements that remove something on which the previous version may depend; tables made in the same file are exempt. */
const takesAway = (text: string) => {
  const sql = text.replaceAll(/--.*$/gm, '');
  const made = new Set([...sql.matchAll(/^create table ([\w.]+)/gim)].map(([, table]) => table));
  return sql
    .split(/;\s*$/m)
    .filter((statement) => !made.has(/^\s*alter table ([\w.]+)/i.exec(statement)?.[1] ?? ''))
    .filter(
      (statement) =>
        /^\s*(drop|truncate|delete|revoke (?!execute on function))/i.test(statement) ||
        /^\s*alter\b[^]*\b(drop|rename|type|set not null|add constraint|disable|force)\b/i.test(statement) ||
        /\badd column\b(?![^,]*\bdefault\b)[^,]*\bnot null\b/i.test(statement),
    );
};

it('additive migrations remove nothing that the previous version needs', () => {
  const removing = additive.map((name) => [name, takesAway(readFileSync(`migrations/${name}`, 'utf8'))]);
  expect(removing.filter(([, statements]) => statements!.length > 0)).toEqual([]);
});

it.each([
  'drop table t;',
  'alter table t drop column n;',
  'alter table t\n  rename to u;',
  'alter table t alter column n type bigint;',
  'alter table t add column m integer not null;',
  'revoke select on t from rende_app;',
])('a statement that removes something is detected: %s', (sql) => {
  expect(takesAway(`create table v (n integer);\n${sql}`)).toHaveLength(1);
});
