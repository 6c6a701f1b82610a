-- The provider that a trainer's charges are made at (API Pix): never what lets us in, which stays in the log.
create table read.pix_providers (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  servidor text,
  com_certificado boolean not null,
  desde timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.pix_providers alter column servidor set statistics 0;
select prepare_read_table('read.pix_providers');

-- The code of each charge that can be paid at the provider. Amounts are cents.
create table read.pix_codes (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  txid text not null,
  valor bigint not null,
  expira_em timestamptz not null,
  pix_copia_e_cola text,
  primary key (tenant_id, id)
);
alter table read.pix_codes alter column pix_copia_e_cola set statistics 0;
select prepare_read_table('read.pix_codes');

-- Charges that are to be looked at with the provider, and when. It follows from what the provider answers, not from the log
-- alone, and so does the next table.
create table public.pix_code_turns (
  tenant_id uuid not null,
  charge_id uuid not null,
  proxima_em timestamptz not null,
  -- how often it was asked for: what was asked for during a look is looked at again
  pedidos integer not null default 1,
  falha text,
  falha_desde timestamptz,
  primary key (tenant_id, charge_id)
);
create index pix_code_turns_due on public.pix_code_turns (proxima_em);
select prepare_tenant_table('public.pix_code_turns', 'select, insert, update, delete', 'select, insert, update, delete');

-- How the last call to the provider went.
create table public.pix_provider_checks (
  tenant_id uuid primary key,
  connection_id uuid not null,
  testado_em timestamptz not null,
  falha text
);
select prepare_tenant_table('public.pix_provider_checks', 'select, insert, update, delete', 'select, delete');

-- Tenants with charges that are due for a look. The bound keeps one sweep small; the next one goes on.
create function pix_code_turns_due(p_now timestamptz)
returns table (tenant_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id from public.pix_code_turns r
  join public.tenants t on t.tenant_id = r.tenant_id
  where r.proxima_em <= p_now
    and not exists (select from public.closed_tenants c where c.tenant_id = r.tenant_id)
  group by r.tenant_id order by min(r.proxima_em)
  limit 40
$$;
revoke execute on function pix_code_turns_due from public;
grant execute on function pix_code_turns_due to rende_app;
