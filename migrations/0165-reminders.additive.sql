-- Reminders of sessions. Of the link by which a student confirms only the hash of its token is kept.
create table public.reminder_tokens (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint reminder_tokens_token_key unique,
  session_id uuid not null,
  student_id uuid not null,
  inicio timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_tenant_table('public.reminder_tokens', 'select, insert, update, delete');

-- The one way from the link to a tenant.
create function auth.find_reminder(p_token_hash bytea)
returns table (tenant_id uuid, reminder_id uuid, session_id uuid, student_id uuid, inicio timestamptz,
               timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.id, r.session_id, r.student_id, r.inicio, t.timezone, u.user_metadata ->> 'nome'
  from public.reminder_tokens r
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = r.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where r.token_hash = p_token_hash
$$;
revoke execute on function auth.find_reminder from public;
grant execute on function auth.find_reminder to rende_app;

create table read.reminders (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  student_id uuid not null,
  -- when the session was to begin: of one that was moved since this is no reminder
  inicio timestamptz not null,
  por_email boolean not null,
  preparado_em timestamptz not null,
  enviado_em timestamptz,
  confirmado_em timestamptz,
  primary key (tenant_id, id)
);
create index reminders_by_start on read.reminders (tenant_id, inicio, id);
create index reminders_of_session on read.reminders (tenant_id, session_id, inicio);
select prepare_read_table('read.reminders');

-- Sessions of all tenants whose reminder is due and was not prepared: those of tomorrow once it is 18:00 by the tenant's clocks,
-- and those of today that had their time before that and were missed. The bound keeps one look small; the next one goes on.
create function reminders_due(p_now timestamptz)
returns table (tenant_id uuid, timezone text, session_id uuid, student_id uuid, inicio timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone, s.id, s.student_id, s.inicio
  from public.tenants t
  cross join lateral (
    select s.id, s.student_id, s.inicio from read.sessions s
    where s.tenant_id = t.tenant_id and s.inicio > p_now and s.inicio < p_now + interval '32 hours'
      and not s.deleted and s.status = 'agendada'
  ) s
  cross join lateral (
    select (date_trunc('day', s.inicio at time zone t.timezone) - interval '6 hours') at time zone t.timezone as due
  ) d
  join read.session_revisions r on r.tenant_id = t.tenant_id and r.id = s.id
  join read.students st on st.tenant_id = t.tenant_id and st.id = s.student_id and st.status = 'active'
  where d.due <= p_now
    and (date_trunc('day', p_now at time zone t.timezone) < date_trunc('day', s.inicio at time zone t.timezone)
      or r.marcada_em < d.due)
    and not exists (
      select from read.reminders m
      where m.tenant_id = t.tenant_id and m.session_id = s.id and m.student_id = s.student_id and m.inicio = s.inicio)
  order by t.tenant_id, s.inicio
  limit 2000
$$;
revoke execute on function reminders_due from public;
grant execute on function reminders_due to rende_app;
