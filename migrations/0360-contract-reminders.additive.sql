-- Whether whoever has not signed is reminded by itself.
alter table read.contracts add lembretes boolean not null default true;

alter table read.signature_requests
  -- when the next reminder is due
  add lembrete_em timestamptz,
  -- to which the last code was mailed
  add codigo_email text;
alter table read.signature_requests alter codigo_email set statistics 0;

-- Tenants of which a reminder may be due.
create function tenants_with_open_contracts(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from public.tenants t
  where exists (select from public.signature_links l
      where l.tenant_id = t.tenant_id and l.estado = 'aberto' and l.expires_at > p_now)
    and not exists (select from public.closed_tenants c where c.tenant_id = t.tenant_id)
  order by 1
$$;
revoke execute on function tenants_with_open_contracts from public;
grant execute on function tenants_with_open_contracts to rende_app;
create index signature_links_open on signature_links (tenant_id, expires_at) where estado = 'aberto';
