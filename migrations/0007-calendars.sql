-- A trainer's calendar at an address of its own. Of the address only the hash of its token is kept.
create table calendar_feed_tokens (
  tenant_id uuid primary key,
  feed_id uuid not null,
  token_hash bytea not null constraint calendar_feed_tokens_token_key unique,
  com_nomes boolean not null
);
select prepare_tenant_table('calendar_feed_tokens', 'select, insert, update, delete');

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

-- Another calendar of the trainer's, whose events block times: its address, as it was pasted.
create table read.other_calendar (
  tenant_id uuid not null,
  id uuid not null,
  calendar_id uuid not null,
  link_ics text,
  desde timestamptz not null,
  -- Since when the calendar cannot be read, once the trainer was told.
  parado_desde timestamptz,
  primary key (tenant_id, id)
);
alter table read.other_calendar alter link_ics set statistics 0;
select prepare_read_table('read.other_calendar');

-- How its reading goes. It follows from what others serve, not from the log, and so does the next table.
create table other_calendar_reads (
  tenant_id uuid primary key,
  calendar_id uuid not null,
  lido_em timestamptz,
  falha_desde timestamptz,
  -- which failure, and the status where the server answered with one
  falha text,
  -- when it is read again; a worker that takes it up moves it on
  proxima_em timestamptz not null,
  -- How many of its events could not be read, or not in full.
  ignorados integer
);
select prepare_tenant_table('other_calendar_reads', 'select, insert, update, delete', 'select, delete');

-- When the trainer is busy by it: nothing but times, none touching another.
create table other_calendar_busy (
  tenant_id uuid not null,
  inicio timestamptz not null,
  fim timestamptz not null,
  primary key (tenant_id, inicio)
);
select prepare_tenant_table('other_calendar_busy', 'select, insert, delete', 'select, delete');

-- Calendars of all tenants that are to be read. The bound keeps one look small; the next one goes on.
create function other_calendars_due(p_now timestamptz)
returns table (tenant_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id from read.other_calendar c
  join public.tenants t on t.tenant_id = c.tenant_id
  left join public.other_calendar_reads r on r.tenant_id = c.tenant_id and r.calendar_id = c.calendar_id
  where r.proxima_em is null or r.proxima_em <= p_now
  order by r.proxima_em nulls first
  limit 40
$$;
revoke execute on function other_calendars_due from public;
grant execute on function other_calendars_due to rende_app;

-- A student's own sessions at an address of the student's. Of the address only the hash of its token is kept.
create table student_calendar_tokens (
  tenant_id uuid not null,
  student_id uuid not null,
  feed_id uuid not null,
  token_hash bytea not null constraint student_calendar_tokens_token_key unique,
  primary key (tenant_id, student_id)
);
select prepare_tenant_table('student_calendar_tokens', 'select, insert, update, delete');

-- The one way from such an address to a tenant, for as long as somebody is that student there.
create function auth.find_student_calendar(p_token_hash bytea)
returns table (tenant_id uuid, feed_id uuid, student_id uuid, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id, c.feed_id, c.student_id, u.user_metadata ->> 'nome'
  from public.student_calendar_tokens c
  join public.memberships own on own.tenant_id = c.tenant_id and own.student_id = c.student_id and own.role = 'aluno'
  join public.memberships m on m.tenant_id = c.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where c.token_hash = p_token_hash
$$;
revoke execute on function auth.find_student_calendar from public;
grant execute on function auth.find_student_calendar to rende_app;

-- What the student sees of it: no row while there is none.
create table read.student_calendars (
  tenant_id uuid not null,
  id uuid not null,
  feed_id uuid not null,
  desde timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_calendars');
