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
  -- The credits granted before, for which the charge is.
  grant_id uuid,
  primary key (tenant_id, id)
);
create index charges_by_due_date on read.charges (tenant_id, vencimento, id);
create index charges_of_student on read.charges (tenant_id, student_id, vencimento, id);
create index charges_of_session on read.charges (tenant_id, session_id) where session_id is not null;
create index charges_open on read.charges (tenant_id, vencimento, id) where status = 'aberta';
alter table read.charges alter descricao set statistics 0;
select prepare_read_table('read.charges');

-- Which charge a receita settles, or its reversal takes back: by the transaction's id.
create table read.charge_payments (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  student_id uuid not null,
  -- Cents that were given back; only of the reversing entry of a refund.
  devolvido bigint,
  primary key (tenant_id, id)
);
-- What a student has paid: by the student, for the student's own list.
create index charge_payments_of_student on read.charge_payments (tenant_id, student_id);
select prepare_read_table('read.charge_payments');

-- What belongs to one charge at most: 'session:…', 'transaction:…', 'txid:…'.
create table charge_claims (
  tenant_id uuid not null,
  claim text not null,
  charge_id uuid not null,
  constraint charge_claims_once primary key (tenant_id, claim)
);
-- The Pix that name a charge are looked up by the charge.
create index charge_claims_of_charge on charge_claims (tenant_id, charge_id);
select prepare_tenant_table('charge_claims', 'select, insert, delete');

-- The link of each charge: only the hash of its token is kept.
create table charge_links (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid not null,
  token_hash bytea not null constraint charge_links_token_key unique,
  primary key (tenant_id, id)
);
create index charge_links_of_charge on charge_links (tenant_id, charge_id);
select prepare_tenant_table('charge_links', 'select, insert, delete');

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
alter table read.pix_accounts alter chave set statistics 0, alter nome set statistics 0, alter cidade set statistics 0;
select prepare_read_table('read.pix_accounts');

-- Payments that a provider told of, by their end-to-end id; what no charge took is to be decided. Amounts are cents.
create table read.arrived_pix (
  tenant_id uuid not null,
  id uuid not null,
  charge_id uuid,
  valor bigint not null,
  aplicado bigint not null,
  data date not null,
  decidido boolean not null,
  -- Cents to be decided; `aplicado` stays what the notice itself paid.
  falta bigint not null default 0,
  primary key (tenant_id, id)
);
create index arrived_pix_undecided on read.arrived_pix (tenant_id, data, id) where not decidido;
select prepare_read_table('read.arrived_pix');

-- By which plan a student is charged each month, by the student's id. Amounts are cents.
create table read.monthly_plans (
  tenant_id uuid not null,
  id uuid not null,
  plano_id uuid not null,
  valor bigint not null,
  desde date not null,
  ate date,
  vence_dia integer not null,
  -- first day of the next month that is billed
  proximo_mes date not null,
  ativo boolean not null,
  primary key (tenant_id, id)
);
create index monthly_plans_due on read.monthly_plans (tenant_id, proximo_mes) where ativo;
select prepare_read_table('read.monthly_plans');

-- The secrets that providers sign notices of payments with, by ids that they follow from; trainers without a row have the first one.
create table read.pix_hooks (
  tenant_id uuid not null,
  id uuid not null,
  secret_id uuid not null,
  -- [{"secret_id": …, "ate": …}], the newest first.
  anteriores jsonb not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.pix_hooks');

-- Tenants of which something may be due by p_now, so that jobs read no others: ids and zones alone. Each job's own query decides.

-- Charges on a step of the ladder of which no mail was sent yet.
create function tenants_with_reminders_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t, lateral (select (p_now at time zone t.timezone)::date as today) d
  where exists (
    select from read.charges c
    join read.students s on s.tenant_id = c.tenant_id and s.id = c.student_id
    where c.tenant_id = t.tenant_id and c.status = 'aberta' and c.vencimento between d.today - 14 and d.today + 3
      and (c.avisada_em is null or c.avisada_em < d.today - 3) and (c.prometida is null or c.prometida < d.today)
      and s.status = 'active' and s.email is not null
      and not exists (
        select from jsonb_array_elements(c.lembretes) sent
        where sent ->> 'dia' = d.today::text
          or (sent ->> 'degrau')::int = case when d.today - c.vencimento >= 7 then 7 when d.today - c.vencimento >= 3 then 3
            when d.today - c.vencimento >= 0 then 0 else -3 end))
$$;

-- Monthly plans of which a month has begun that is not billed.
create function tenants_with_plans_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t
  where exists (
    select from read.monthly_plans p
    where p.tenant_id = t.tenant_id and p.ativo and p.proximo_mes <= (p_now at time zone t.timezone)::date
      and (p.ate is null or p.ate >= p.proximo_mes))
$$;
revoke execute on function tenants_with_reminders_due, tenants_with_plans_due from public;
grant execute on function tenants_with_reminders_due, tenants_with_plans_due to rende_app;

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
alter table read.pix_providers alter servidor set statistics 0;
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
alter table read.pix_codes alter pix_copia_e_cola set statistics 0;
select prepare_read_table('read.pix_codes');

-- Charges that are to be looked at with the provider, and when. It follows from what the provider answers, not from the log
-- alone, and so does the next table.
create table pix_code_turns (
  tenant_id uuid not null,
  charge_id uuid not null,
  proxima_em timestamptz not null,
  -- how often it was asked for: what was asked for during a look is looked at again
  pedidos integer not null default 1,
  falha text,
  falha_desde timestamptz,
  primary key (tenant_id, charge_id)
);
create index pix_code_turns_due on pix_code_turns (proxima_em);
select prepare_tenant_table('pix_code_turns', 'select, insert, update, delete', 'select, insert, update, delete');

-- How the last call to the provider went.
create table pix_provider_checks (
  tenant_id uuid primary key,
  connection_id uuid not null,
  testado_em timestamptz not null,
  falha text
);
select prepare_tenant_table('pix_provider_checks', 'select, insert, update, delete', 'select, delete');

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
