-- Payments that a provider told of, by their end-to-end id; what no charge took is to be decided. Amounts are cents.
create table read.arrived_pix (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid,
  valor bigint not null,
  aplicado bigint not null,
  data date not null,
  decidido boolean not null,
  primary key (tenant_id, id)
);
create index arrived_pix_undecided on read.arrived_pix (tenant_id, data, id) where not decidido;
select prepare_read_table('read.arrived_pix');

-- The tenants that work, for jobs that look at each: ids and zones alone.
create function tenants_open() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from public.tenants t
  where not exists (select from public.closed_tenants c where c.tenant_id = t.tenant_id) order by 1
$$;
revoke execute on function tenants_open from public;
grant execute on function tenants_open to rende_app;
