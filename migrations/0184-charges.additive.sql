-- Charges: what students are asked to pay. Amounts are cents, dates are the tenant's.
create table read.charges (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  plano_id uuid,
  session_id uuid,
  origem text not null,
  -- first day of the month that it is for, where it is a monthly plan's
  mes date,
  descricao text,
  valor bigint not null,
  pago bigint not null,
  vencimento date not null,
  -- 'aberta', 'paga', 'cancelada'; overdue follows from the day
  status text not null,
  creditos integer not null,
  link_id uuid not null,
  txid text not null,
  emitida_em timestamptz not null,
  avisada_em timestamptz,
  prometida date,
  -- [{id, transaction_id, valor, data, metodo_pagamento, estornado}]
  pagamentos jsonb not null,
  -- [{degrau, canal, dia}]
  lembretes jsonb not null,
  primary key (tenant_id, id)
);
alter table read.charges alter column descricao set statistics 0;
create index charges_by_due_date on read.charges (tenant_id, vencimento, id);
create index charges_of_student on read.charges (tenant_id, student_id, vencimento, id);
create index charges_of_session on read.charges (tenant_id, session_id) where session_id is not null;
create index charges_open on read.charges (tenant_id, vencimento, id) where status = 'aberta';
select prepare_read_table('read.charges');

-- Which charge a receita settles, or its reversal takes back: by the transaction's id.
create table read.charge_payments (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  student_id uuid not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.charge_payments');

-- What belongs to one charge at most: 'session:…', 'transaction:…', 'txid:…'.
create table public.charge_claims (
  tenant_id uuid not null,
  claim text not null,
  charge_id uuid not null,
  constraint charge_claims_once primary key (tenant_id, claim)
);
select prepare_tenant_table('public.charge_claims', 'select, insert, delete');

-- The link of each charge: only the hash of its token is kept.
create table public.charge_links (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  token_hash bytea not null constraint charge_links_token_key unique,
  primary key (tenant_id, id)
);
create index charge_links_of_charge on public.charge_links (tenant_id, charge_id);
select prepare_tenant_table('public.charge_links', 'select, insert, delete');

-- The one way from a payment link to a tenant, with the trainer's name; nothing where the business is closed.
create function auth.find_charge(p_token_hash bytea)
returns table (tenant_id uuid, charge_id uuid, timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.charge_id, t.timezone, u.user_metadata ->> 'nome'
  from public.charge_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_charge from public;
grant execute on function auth.find_charge to rende_app;

-- The Pix key on which the trainer is paid: one row for each tenant.
create table read.pix_accounts (
  tenant_id uuid not null,
  id uuid not null,
  tipo text not null,
  chave text,
  nome text,
  cidade text,
  primary key (tenant_id, id)
);
alter table read.pix_accounts alter column chave set statistics 0;
alter table read.pix_accounts alter column nome set statistics 0;
alter table read.pix_accounts alter column cidade set statistics 0;
select prepare_read_table('read.pix_accounts');
