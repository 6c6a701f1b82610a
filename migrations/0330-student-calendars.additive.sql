-- A student's own sessions at an address of the student's. Of the address only the hash of its token is kept.
create table public.student_calendar_tokens (
  tenant_id uuid not null,
  student_id uuid not null,
  feed_id uuid not null,
  token_hash bytea not null constraint student_calendar_tokens_token_key unique,
  primary key (tenant_id, student_id)
);
select prepare_tenant_table('public.student_calendar_tokens', 'select, insert, update, delete');

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
