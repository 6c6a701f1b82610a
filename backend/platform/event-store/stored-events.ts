/** Schema versions of each type that a statement reads. */
export type StoredVersions = Readonly<Record<string, readonly number[]>>;

/** What all statements of this process read of stored events: `app.module.spec.ts` compares it with the events' schema versions. */
export const storedReads: StoredVersions[] = [];

/**
 * The table `events` for a statement that reads their data as it is stored, past the upcasters: only events of these types,
 * and an event of another version refuses the statement. Under row security no index serves a stream that is computed from a joined
 * row (that of a session, from its id), because Postgres does not take the computing as safe from leaks: then it is looked up in a
 * subquery that is not joined, one with `limit` or `offset 0`.
 */
export function storedEvents(versions: StoredVersions): string {
  storedReads.push(versions);
  const types = Object.keys(versions);
  const handled = types.flatMap((type) => versions[type]!.map((version) => `${type}${version}`));
  return `(select * from events where type in (${list(types)})
    and case when type || schema_version in (${list(handled)}) then true
      else refuse_event_version(type, schema_version) end)`;
}

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/**
 * The hash under which an event was recorded first, in hexadecimal; `e` is its row. The codes that name it stay the same where the log
 * was imported from an archive.
 */
export const firstHash = (e: string): string =>
  `coalesce(${e}.meta #>> '{origin,hash}', encode(${e}.hash, 'hex'))`;
