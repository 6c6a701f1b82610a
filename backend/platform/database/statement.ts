import {
  type AnyColumnWithTable,
  type CompiledQuery,
  DummyDriver,
  type JoinBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { DB } from './schema.generated.js';

/** Only compiles statements; it has no connection. */
const builder = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Placeholders of a statement, by name of its parameters. */
export type Blanks<Values> = {
  readonly [Name in keyof Values]: RawBuilder<Exclude<Values[Name], undefined>>;
};

class Blank {
  constructor(readonly name: string) {}
}

function blanksOf(given: readonly string[]): object {
  return Object.fromEntries(given.map((name) => [name, sql.val(new Blank(name))]));
}

/**
 * A statement that is compiled once and filled in for each read, because compiling takes longer than the query itself. Where
 * values may be undefined it is compiled once for each set of defined ones.
 */
export function statement<Values extends object, Row>(
  build: (db: Kysely<DB>, blanks: Blanks<Values>) => CompiledQuery<Row>,
): (values: Values) => CompiledQuery<Row> {
  const shapes = new Map<string, CompiledQuery<Row>>();
  return (values) => {
    const all = values as Record<string, unknown>;
    const given = Object.keys(all).filter((name) => all[name] !== undefined);
    const shape = given.join();
    let built = shapes.get(shape);
    if (!built) shapes.set(shape, (built = build(builder, blanksOf(given) as Blanks<Values>)));
    const filled = built.parameters.map((value) => (value instanceof Blank ? all[value.name] : value));
    return { ...built, parameters: filled };
  };
}

/** Joins rows of one tenant by these columns: `(join) => sameTenant(join, 'a.id', 'b.a_id')`. */
export function sameTenant<DB, Table extends keyof DB>(
  join: JoinBuilder<DB, Table>,
  one: AnyColumnWithTable<DB, Table>,
  other: AnyColumnWithTable<DB, Table>,
): JoinBuilder<DB, Table> {
  const tenantOf = (column: typeof one) => `${String(column).split('.')[0]}.tenant_id` as typeof one;
  return join.onRef(tenantOf(one), '=', tenantOf(other)).onRef(one, '=', other);
}
