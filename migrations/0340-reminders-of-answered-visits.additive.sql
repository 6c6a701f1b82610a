-- What a visitor booked is not announced before the trainer has confirmed it: the phone may be somebody else's.
create or replace function reminders_due(p_now timestamptz)
returns table (tenant_id uuid, timezone text, session_id uuid, student_id uuid, inicio timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone, s.id, s.student_id, s.inicio
  from public.tenants t
  cross join lateral (
    select s.id, s.student_id, s.inicio, s.confirmado from read.sessions s
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
    and (s.confirmado or not exists (
      select from read.visits v
      where v.tenant_id = t.tenant_id and v.session_id = s.id and v.student_id = s.student_id))
    and not exists (
      select from read.reminders m
      where m.tenant_id = t.tenant_id and m.session_id = s.id and m.student_id = s.student_id and m.inicio = s.inicio)
  order by t.tenant_id, s.inicio
  limit 2000
$$;
