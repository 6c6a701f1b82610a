-- When a visitor's booking lapses unless the trainer confirms it, and whether it did.
alter table read.visits add column vence_em timestamptz, add column venceu boolean not null default false;
create index visits_lapsing on read.visits (vence_em) where vence_em is not null;

-- Bookings that were answered keep their time, so those of sessions that are over are left out by it.
create function public.visits_lapsing(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct v.tenant_id, t.timezone
  from read.visits v
  join read.sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
  join public.tenants t on t.tenant_id = v.tenant_id
  where v.vence_em between p_now - interval '61 days' and p_now
    and s.inicio > p_now and s.status = 'agendada' and not s.confirmado and not s.deleted
    and not exists (select from public.closed_tenants c where c.tenant_id = v.tenant_id)
$$;
revoke execute on function public.visits_lapsing from public;
grant execute on function public.visits_lapsing to rende_app;
