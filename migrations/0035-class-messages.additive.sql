-- The groups of the last hours that were cancelled because too few came.
alter table read.classes add column desmarcadas jsonb not null default '[]';
-- A message about one session.
alter table read.nudges add column session_id uuid;

-- Trainers who have something told by themselves; what follows from a day is among it.
create or replace function tenants_with_daily_whatsapp() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from read.whatsapp_connections c
  join public.tenants_open() t on t.tenant_id = c.tenant_id
  where c.conectado and c.parada is null and c.modelos <> '{}'
$$;
