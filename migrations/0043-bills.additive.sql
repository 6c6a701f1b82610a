-- The link of what each payer owes, by the hash of its token, and the name of that at a provider.
create table payer_links (
  tenant_id uuid not null,
  id uuid not null,
  payer_id uuid not null,
  txid text not null,
  token_hash bytea not null constraint payer_links_token_key unique,
  primary key (tenant_id, id)
);
create unique index payer_links_of_payer on payer_links (tenant_id, payer_id);
create index payer_links_by_txid on payer_links (tenant_id, txid);
select prepare_tenant_table('payer_links', 'select, insert, delete');
alter table read.payers add column link_id uuid;

-- The one way from such a link to a tenant, with the trainer's name.
create function auth.find_payer(p_token_hash bytea)
returns table (tenant_id uuid, payer_id uuid, timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.payer_id, t.timezone, u.user_metadata ->> 'nome'
  from public.payer_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_payer from public;
grant execute on function auth.find_payer to rende_app;

-- Payments of several charges at once. Amounts are cents.
create table read.bill_payments (
  tenant_id uuid not null,
  id uuid not null,
  payer_id uuid not null,
  valor bigint not null,
  data date not null,
  metodo_pagamento text not null,
  -- charge_id, student_id, payment_id, transaction_id, valor
  partes jsonb not null,
  em timestamptz not null,
  desfeito boolean not null,
  primary key (tenant_id, id)
);
create index bill_payments_of_payer on read.bill_payments (tenant_id, payer_id, em);
select prepare_read_table('read.bill_payments');
