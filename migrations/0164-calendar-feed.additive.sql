-- A trainer's calendar at an address of its own. Of the address only the hash of its token is kept.
create table public.calendar_feed_tokens (
  tenant_id uuid primary key,
  feed_id uuid not null,
  token_hash bytea not null constraint calendar_feed_tokens_token_key unique,
  com_nomes boolean not null
);
select prepare_tenant_table('public.calendar_feed_tokens', 'select, insert, update, delete');

-- The one way from the address to a tenant.
create function auth.find_calendar_feed(p_token_hash bytea)
returns table (tenant_id uuid, feed_id uuid, com_nomes boolean, timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.tenant_id, f.feed_id, f.com_nomes, t.timezone, u.user_metadata ->> 'nome'
  from public.calendar_feed_tokens f
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = f.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where f.token_hash = p_token_hash
$$;
revoke execute on function auth.find_calendar_feed from public;
grant execute on function auth.find_calendar_feed to rende_app;

-- What its owner sees of it: no row while there is none.
create table read.calendar_feed (
  tenant_id uuid not null,
  id uuid not null,
  feed_id uuid not null,
  com_nomes boolean not null,
  desde timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.calendar_feed');

-- How often each session has changed, when it did last, and when it got the time that it has.
create table read.session_revisions (
  tenant_id uuid not null,
  id uuid not null,
  revisao integer not null,
  alterada_em timestamptz not null,
  marcada_em timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.session_revisions');
