-- Links by which students without an account see their area. Of a link only the hash of its token is kept.
create table public.area_links (
  tenant_id uuid not null,
  student_id uuid not null,
  link_id uuid not null,
  token_hash bytea not null constraint area_links_token_key unique,
  expires_at timestamptz not null,
  primary key (tenant_id, student_id)
);
select prepare_tenant_table('public.area_links', 'select, insert, update, delete');

-- The one way from such a link to a tenant.
create function auth.find_area_link(p_token_hash bytea)
returns table (tenant_id uuid, link_id uuid, student_id uuid, timezone text, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.link_id, l.student_id, t.timezone, l.expires_at
  from public.area_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_area_link from public;
grant execute on function auth.find_area_link to rende_app;

alter table read.student_access add column area_link_id uuid, add column area_expires_at timestamptz;
