-- Gives tenants the guards of a new release at once where there is nothing to build: no event that any of these guards takes,
-- and no row in any of their tables. Looks at the next thousand tenants with the set `p_from` and a short log, and answers the
-- last of them (null: there are no more) and how many have the new set now.
create function adopt_guards(
  p_from text, p_to text, p_types text[], p_tables text[], p_after uuid, out last_tenant uuid, out adopted integer
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenants uuid[];
  guard_table text;
begin
  select array_agg(t.tenant_id order by t.tenant_id) into tenants from (
    select l.tenant_id from tenant_log l
    where l.guards = p_from and l.tenant_id > p_after and l.position <= 100
    order by l.tenant_id limit 1000
  ) t;
  last_tenant := tenants[cardinality(tenants)];
  -- Under the tenants' locks, which a command that is under way holds: no event can come any more. The next statement sees all.
  select array_agg(t.tenant_id) into tenants from (
    select l.tenant_id from tenant_log l
    where l.tenant_id = any(tenants) and l.guards = p_from for no key update skip locked
  ) t;
  select array_agg(t.tenant_id) into tenants from unnest(tenants) as t(tenant_id)
  where not exists (select from events e where e.tenant_id = t.tenant_id and e.type = any(p_types));
  foreach guard_table in array p_tables loop
    execute format(
      'select array_agg(t.tenant_id) from unnest($1) as t(tenant_id)
       where not exists (select from %I g where g.tenant_id = t.tenant_id)', guard_table
    ) into tenants using tenants;
  end loop;
  update tenant_log l set guards = p_to where l.tenant_id = any(tenants);
  get diagnostics adopted = row_count;
end $$;
revoke execute on function adopt_guards from public;
grant execute on function adopt_guards to rende_projector;
