-- Money: transactions and what follows from them. Amounts are cents.

create table read.transactions (
  tenant_id uuid not null,
  id uuid not null,
  tipo text not null check (tipo in ('receita', 'despesa')),
  descricao text,
  -- negative in a reversal
  valor bigint not null,
  -- [{tipo, valor}]: the parts of a receita, negative in its reversal
  alocacoes jsonb not null,
  metodo_pagamento text not null,
  data date not null,
  estorno_de uuid,
  estornada_por uuid,
  registrada_em timestamptz not null,
  -- Whose an entry is, what an expense is for, why an entry was reversed, and which entry took its place.
  student_id uuid,
  categoria text,
  motivo text,
  corrige_id uuid,
  corrigida_por uuid,
  primary key (tenant_id, id)
);
create index transactions_by_date on read.transactions (tenant_id, data desc, registrada_em desc, id desc);
create index transactions_of_student on read.transactions (tenant_id, student_id) where student_id is not null;
alter table read.transactions alter descricao set statistics 0, alter motivo set statistics 0;
select prepare_read_table('read.transactions');

-- One row per month (its first day) that ever had a transaction; reversals subtract from all of it.
create table read.finance_months (
  tenant_id uuid not null,
  mes date not null,
  lancamentos integer not null,
  receitas integer not null,
  recebido bigint not null,
  despesas bigint not null,
  imposto bigint not null,
  reserva bigint not null,
  operacional bigint not null,
  retirada bigint not null,
  primary key (tenant_id, mes)
);
select prepare_read_table('read.finance_months');

-- What a trainer aims at and how a receita is divided. Amounts are cents; 0 where no goal was set. Shares are percent.
create table read.financial_settings (
  tenant_id uuid not null,
  id uuid not null,
  meta_mensal bigint not null,
  meta_trimestral bigint not null,
  meta_anual bigint not null,
  meta_reserva bigint not null,
  imposto integer not null,
  reserva integer not null,
  operacional integer not null,
  retirada integer not null,
  -- When the first set-up was answered to its end.
  completed_at timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.financial_settings');

-- What the trainer spends each month. Amounts are cents.
create table read.recurring_expenses (
  tenant_id uuid not null,
  id uuid not null,
  descricao text,
  valor bigint not null,
  metodo_pagamento text not null,
  categoria text,
  vence_dia integer not null,
  desde date not null,
  ate date,
  -- first day of the next month that is recorded
  proximo_mes date not null,
  ativa boolean not null,
  primary key (tenant_id, id)
);
create index recurring_expenses_due on read.recurring_expenses (tenant_id, proximo_mes) where ativa;
alter table read.recurring_expenses alter descricao set statistics 0;
select prepare_read_table('read.recurring_expenses');

-- Lines of bank statements that were decided on, by an id that follows from what the bank calls them. Amounts are cents.
create table read.bank_lines (
  tenant_id uuid not null,
  id uuid not null,
  -- 'cobranca', 'lancamento', 'fora'
  decisao text not null,
  valor bigint not null,
  data date not null,
  charge_id uuid,
  transaction_id uuid,
  primary key (tenant_id, id)
);
create index bank_lines_of_transaction on read.bank_lines (tenant_id, transaction_id) where transaction_id is not null;
select prepare_read_table('read.bank_lines');

-- What the lines of bank statements stand for: the entries that they were recorded as, or that they paid charges by.
create table bank_line_entries (
  tenant_id uuid not null,
  transaction_id uuid not null,
  line_id uuid not null,
  data date not null,
  -- Cents; negative where money went out.
  valor bigint not null,
  -- Whether it pays a charge, which takes it back by an event of its own.
  cobranca boolean not null,
  primary key (tenant_id, transaction_id)
);
create index bank_line_entries_line on bank_line_entries (tenant_id, line_id);
create index bank_line_entries_day on bank_line_entries (tenant_id, data, valor);
select prepare_tenant_table('bank_line_entries', 'select, insert, delete');

-- Tenants with a recurring expense of which a day has come that is not recorded, so that its job reads no others.
create function tenants_with_expenses_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t, lateral (select (p_now at time zone t.timezone)::date as today) d
  where exists (
    select from read.recurring_expenses e
    where e.tenant_id = t.tenant_id and e.ativa and e.proximo_mes <= d.today
      and e.proximo_mes + e.vence_dia - 1 <= d.today and (e.ate is null or e.ate >= e.proximo_mes + e.vence_dia - 1))
$$;
revoke execute on function tenants_with_expenses_due from public;
grant execute on function tenants_with_expenses_due to rende_app;
