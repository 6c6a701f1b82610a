-- What visitors booked, as they told it; the session has the rest.
create table read.visits (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  student_id uuid not null,
  nome text,
  email text,
  novo boolean not null,
  consentimento integer not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.visits alter nome set statistics 0, alter email set statistics 0;
create index visits_of_session on read.visits (tenant_id, session_id);
select prepare_read_table('read.visits');

-- Private links of visitors: of a link only the hash of its token is kept.
create table public.visitor_links (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint visitor_links_token_key unique,
  primary key (tenant_id, id)
);
select prepare_tenant_table('public.visitor_links', 'select, insert, delete');

-- The one way from a visitor's link to a tenant.
create function public.tenant_of_visit(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id from public.visitor_links l where l.token_hash = p_token_hash
$$;
revoke execute on function public.tenant_of_visit from public;
grant execute on function public.tenant_of_visit to rende_app;
