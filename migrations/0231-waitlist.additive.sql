-- Who waits for a time on a trainer's public page, as they told it.
create table read.waitlist (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  location_id uuid not null,
  nome text,
  email text,
  -- calendar dates, both included
  de date not null,
  ate date not null,
  -- parts of the day
  periodos jsonb not null,
  criado_em timestamptz not null,
  status text not null,
  pulado boolean not null,
  -- offers so far
  ofertas integer not null,
  -- of the offer that stands
  oferta_inicio timestamptz,
  oferta_fim timestamptz,
  oferta_ate timestamptz,
  visit_id uuid,
  primary key (tenant_id, id)
);
alter table read.waitlist alter nome set statistics 0, alter email set statistics 0;
create index waitlist_live on read.waitlist (tenant_id, criado_em, id) where status = 'esperando';
select prepare_read_table('read.waitlist');

-- Private links of the list: of a link only the hash of its token is kept.
create table public.waitlist_links (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint waitlist_links_token_key unique,
  primary key (tenant_id, id)
);
select prepare_tenant_table('public.waitlist_links', 'select, insert, delete');

-- Who still waits, in turn.
create table public.waitlist_entries (
  tenant_id uuid not null,
  wait_id uuid not null,
  em timestamptz not null,
  primary key (tenant_id, wait_id)
);
select prepare_tenant_table('public.waitlist_entries', 'select, insert, delete');

-- Times that are held for somebody who waits.
create table public.waitlist_offers (
  tenant_id uuid not null,
  wait_id uuid not null,
  inicio timestamptz not null,
  fim timestamptz not null,
  ate timestamptz not null,
  primary key (tenant_id, wait_id)
);
select prepare_tenant_table('public.waitlist_offers', 'select, insert, delete');

-- The one way from a link of the list to a tenant.
create function public.tenant_of_waiting(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id from public.waitlist_links l where l.token_hash = p_token_hash
$$;
revoke execute on function public.tenant_of_waiting from public;
grant execute on function public.tenant_of_waiting to rende_app;

-- Tenants whose list is not empty.
create function public.tenants_waited_for() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct e.tenant_id, t.timezone
  from public.waitlist_entries e
  join public.tenants t on t.tenant_id = e.tenant_id
  where not exists (select from public.closed_tenants c where c.tenant_id = e.tenant_id)
$$;
revoke execute on function public.tenants_waited_for from public;
grant execute on function public.tenants_waited_for to rende_app;
