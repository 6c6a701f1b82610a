import type { TestDatabase } from './database.js';

/** Everything that migrations create in some schemas, one line each, but for the list of those that were applied. */
const SCHEMA = `
  with relations as (
    select format('%s.%s', n.nspname, c.relname) as name, c.*
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = any($1) and relkind in ('r', 'S', 'v') and relname <> 'schema_migrations'
  ), columns as (
    select r.name || '.' || a.attname as name, row_number() over (partition by r.oid order by attnum) as place, a.*,
      pg_get_expr(d.adbin, d.adrelid) as expression
    from relations r join pg_attribute a on a.attrelid = r.oid and attnum > 0 and not attisdropped
    left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
  ), functions as (
    select p.* from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where nspname = any($1) and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  ), rights as (
    select name, coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)) as acl from relations
    union all select name, attacl from columns
    union all select oid::regprocedure::text, coalesce(proacl, acldefault('f', proowner)) from functions
    union all select nspname, nspacl from pg_namespace where nspname = any($1)
  )
  select line from (
    select format('%s %s %s %s %s %s %s', name, relkind, relpersistence, relowner::regrole, reloptions, relrowsecurity,
        relforcerowsecurity) from relations
    union all select format('%s %s %s %s %s %s %s %s %s', name, place, format_type(atttypid, atttypmod), attnotnull, expression,
        attgenerated, attstattarget, attstorage, attcollation::regcollation) from columns
    union all select format('%s %s %s', name, conname, pg_get_constraintdef(c.oid))
      from relations r join pg_constraint c on c.conrelid = r.oid
    union all select format('%s %s', pg_get_indexdef(indexrelid), indisvalid)
      from relations r join pg_index i on i.indrelid = r.oid
    union all select pg_get_triggerdef(t.oid) from relations r join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all select format('%s %s', pg_get_functiondef(oid), proowner::regrole) from functions
    union all select p::text from pg_policies p where schemaname = any($1)
    union all select s::text from pg_sequences s where schemaname = any($1)
    union all select format('%s: %s %s %s', name, e.grantee::regrole, e.privilege_type, e.is_grantable)
      from rights, aclexplode(acl) e
  ) as lines(line) order by 1`;

export async function schemaOf(database: TestDatabase, names: string[]): Promise<string[]> {
  return (await database.query<{ line: string }>(SCHEMA, [names])).map(({ line }) => line);
}
