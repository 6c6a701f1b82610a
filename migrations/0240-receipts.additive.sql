-- Receipts, by the receita that each is of: what was printed does not change any more.
create table read.receipts (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid,
  numero integer not null,
  valor bigint not null,
  data date not null,
  metodo_pagamento text not null,
  nome text,
  cpf text,
  descricao text,
  de date not null,
  ate date not null,
  -- {nome, documento, cref, cidade}
  prestador jsonb not null,
  guardar_ate date not null,
  emitido_em timestamptz not null,
  enviado_em timestamptz,
  primary key (tenant_id, id)
);
alter table read.receipts
  alter nome set statistics 0, alter cpf set statistics 0, alter descricao set statistics 0,
  alter prestador set statistics 0;
create index receipts_of_month on read.receipts (tenant_id, data, numero);
create index receipts_of_student on read.receipts (tenant_id, student_id, numero) where student_id is not null;
select prepare_read_table('read.receipts');

-- Who gives the receipts: one row for each tenant.
create table read.receipt_issuers (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  documento text,
  cref text,
  cidade text,
  primary key (tenant_id, id)
);
alter table read.receipt_issuers
  alter nome set statistics 0, alter documento set statistics 0, alter cref set statistics 0,
  alter cidade set statistics 0;
select prepare_read_table('read.receipt_issuers');

-- The numbers that were given, and what the receipts' links and codes lead to: of both only the hash is kept.
create table public.receipt_numbers (
  tenant_id uuid not null,
  numero integer not null,
  transaction_id uuid not null,
  token_hash bytea not null constraint receipt_numbers_token_key unique,
  codigo_hash bytea not null constraint receipt_numbers_code_key unique,
  primary key (tenant_id, numero),
  constraint receipt_numbers_once unique (tenant_id, transaction_id)
);
select prepare_tenant_table('public.receipt_numbers', 'select, insert, delete');

-- The ways from a receipt's link and from its code to a tenant.
create function auth.find_receipt_link(p_token_hash bytea)
returns table (tenant_id uuid, transaction_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.transaction_id, t.timezone
  from public.receipt_numbers r join public.tenants t using (tenant_id)
  where r.token_hash = p_token_hash
$$;
revoke execute on function auth.find_receipt_link from public;
grant execute on function auth.find_receipt_link to rende_app;

create function auth.find_receipt_code(p_code_hash bytea)
returns table (tenant_id uuid, transaction_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.transaction_id, t.timezone
  from public.receipt_numbers r join public.tenants t using (tenant_id)
  where r.codigo_hash = p_code_hash
$$;
revoke execute on function auth.find_receipt_code from public;
grant execute on function auth.find_receipt_code to rende_app;
