import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { DB } from './schema.generated.js';

/** Builds statements; nothing runs on it. */
export const builder = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Places in a statement for what it is asked with. */
export type Blanks<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

class Blank {
  constructor(readonly name: string) {}
}

const blanks = new Proxy({}, { get: (_all, name: string) => sql.val(new Blank(name)) });

/** A statement that is built once and filled in for each read: to build one takes longer than to ask it. */
export function statement<Values extends object, Row>(
  build: (db: Kysely<DB>, blanks: Blanks<Values>) => CompiledQuery<Row>,
): (values: Values) => CompiledQuery<Row> {
  let built: CompiledQuery<Row> | undefined;
  return (values) => {
    built ??= build(builder, blanks as Blanks<Values>);
    const filled = built.parameters.map((value) =>
      value instanceof Blank ? (values as Record<string, unknown>)[value.name] : value,
    );
    return { ...built, parameters: filled };
  };
}
