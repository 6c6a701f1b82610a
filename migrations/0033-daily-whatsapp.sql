-- Trainers who have something told by themselves that follows from a day.
create function tenants_with_daily_whatsapp() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from read.whatsapp_connections c
  join public.tenants_open() t on t.tenant_id = c.tenant_id
  where c.conectado and c.parada is null and c.modelos ?| array['cobranca', 'aniversario', 'sumindo']
$$;
revoke execute on function tenants_with_daily_whatsapp from public;
grant execute on function tenants_with_daily_whatsapp to rende_app;

drop function tenants_with_whatsapp_charges();
