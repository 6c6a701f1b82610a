import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { AppModule } from '../../backend/app.module.js';
import { partsOf, personalTexts } from '../../backend/platform/event-store/personal-fields.js';
import { featuresOf } from '../../backend/platform/features.js';
import type { TestDatabase } from '../support/database.js';

/** Stands for the data of any event: every field that is read from it exists. */
const ANYBODY: Record<string, unknown> = new Proxy({}, { get: () => ANYBODY });

/** All content of a database as text, by table: rows of every schema, and the planner's samples of them. */
export async function textOf(database: TestDatabase): Promise<Map<string, string>> {
  await database.query('analyze');
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  );
  const places = new Map<string, string>();
  for (const { name } of tables) {
    const [all] = await database.query<{ text: string }>(
      `select coalesce(string_agg(to_jsonb(t)::text, e'\\n'), '') as text from ${name} t`,
    );
    places.set(name, all!.text);
  }
  const samples = await database.query<{ name: string; text: string }>(
    `select format('sample of %I.%I.%I', schemaname, tablename, attname) as name, to_jsonb(s)::text as text from pg_stats s
     where schemaname !~ '^pg_' and schemaname <> 'information_schema'`,
  );
  for (const { name, text } of samples) places.set(name, text);
  return places;
}

const aggregates = featuresOf(AppModule).all.aggregates;

/** Declared texts about students of which the log contains no event: the test has to write each of them once. */
export async function neverSaid(database: TestDatabase): Promise<string[]> {
  const said = await database.query<{ type: string; data: Record<string, unknown>; tenant_id: string }>(
    'select type, data, tenant_id from events',
  );
  const withoutIndexes = (path: string) => path.replace(/\[\d+\]/g, '[]');
  const missing: string[] = [];
  for (const [type, definition] of aggregates.flatMap(({ events }) => Object.entries(events))) {
    const own = said.filter((event) => event.type === type);
    const texts = own.flatMap(({ data, tenant_id }) => personalTexts(definition as never, data, tenant_id));
    const paths = new Set(texts.map(({ path }) => withoutIndexes(path)));
    for (const part of partsOf(definition as never)) {
      const isTrainers = part.person(ANYBODY, 'the tenant', []) === 'the tenant';
      if (isTrainers) continue;
      missing.push(...part.fields.filter((path) => !paths.has(path)).map((path) => `${type} ${path}`));
    }
  }
  return missing;
}

/** The sent mails, and in tests the seals beside them: their content and file names. */
export async function textOfMails(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name);
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return new Map([['mail files', [...names, ...texts].join('\n')]]);
}

/** All content of a Redis, by key. */
export async function textOfRedis(url: string): Promise<Map<string, string>> {
  const redis = new Redis(url);
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    stream: (key) => redis.xrange(key, '-', '+'),
  };
  try {
    const places = new Map<string, string>();
    for (const key of await redis.keys('*')) {
      places.set(`redis ${key}`, `${key} ${JSON.stringify(await read[await redis.type(key)]?.(key))}`);
    }
    return places;
  } finally {
    redis.disconnect();
  }
}

/** The places where one of these is readable: as it is, ignoring case, or as the bytes of a bytea. */
export function find(secrets: readonly string[], places: ReadonlyMap<string, string>): string[] {
  const written = secrets.flatMap((secret) => [secret.toLowerCase(), Buffer.from(secret).toString('hex')]);
  return [...places]
    .filter(([, text]) => written.some((secret) => text.toLowerCase().includes(secret)))
    .map(([place]) => place)
    .sort();
}
