-- Plans; `valor` in cents, `busca` is the name without accents or case.
create table read.plans (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text not null,
  descricao text,
  valor bigint not null,
  creditos integer not null,
  validade_dias integer,
  tipo text not null,
  is_active boolean not null,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
create index plans_list on read.plans (tenant_id, status, busca, id);
alter table read.plans alter nome set statistics 0, alter descricao set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.plans');

-- Last line of the rule that no lot is ever used below zero.
create table credit_lots (
  tenant_id uuid not null,
  lot_id uuid not null,
  student_id uuid not null,
  remaining integer not null,
  primary key (tenant_id, lot_id),
  constraint credit_lots_never_negative check (remaining >= 0)
);
select prepare_tenant_table('credit_lots', 'select, insert, update, delete');

-- The ledger: one row for each lot that a line touches, `quantidade` signed.
create table read.credit_entries (
  tenant_id uuid not null,
  position bigint not null,
  lot_id uuid not null,
  entry_id uuid not null,
  student_id uuid not null,
  quantidade integer not null,
  tipo text not null,
  causa text not null,
  plano_id uuid,
  session_id uuid,
  user_id text not null,
  em timestamptz not null,
  primary key (tenant_id, position, lot_id)
);
-- An account's lines lie on as many pages as it has lines; in the index they lie together.
create index credit_entries_student on read.credit_entries (tenant_id, student_id, position)
  include (lot_id, entry_id, quantidade, tipo, causa, plano_id, session_id, user_id, em);
select prepare_read_table('read.credit_entries');

-- What is left of each lot, whether it has expired or not: that depends on the present.
create table read.credit_lot_balances (
  tenant_id uuid not null,
  lot_id uuid not null,
  student_id uuid not null,
  quantidade integer not null,
  restante integer not null,
  plano_id uuid,
  expira_em date,
  expires_at timestamptz,
  position bigint not null,
  criado_em timestamptz not null,
  -- Of a make-up: the lot that its credit came from, the session that was cancelled, and the month that it counts in.
  origem uuid,
  session_id uuid,
  mes text,
  primary key (tenant_id, lot_id)
);
-- A student has a dozen lots after a year and one with something left: only those are looked at for a balance.
create index credit_lot_balances_usable on read.credit_lot_balances (tenant_id, student_id) where restante > 0;
select prepare_read_table('read.credit_lot_balances');

-- Why a credit was used or adjusted by hand, by line of the ledger: text about a person.
create table read.credit_notes (
  tenant_id uuid not null,
  id uuid not null,
  motivo text,
  primary key (tenant_id, id)
);
alter table read.credit_notes alter motivo set statistics 0;
select prepare_read_table('read.credit_notes');

-- How make-ups are given; no row while nothing was saved.
create table read.make_up_rules (
  tenant_id uuid not null,
  id uuid not null,
  ativo boolean not null,
  teto_percent integer not null,
  prazo_meses integer not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.make_up_rules');

-- Between which students credits went; `id` is also that of the lines in both accounts.
create table read.credit_transfers (
  tenant_id uuid not null,
  id uuid not null,
  de uuid not null,
  para uuid not null,
  quantidade integer not null,
  desfeita boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.credit_transfers');

-- Credits of plans that were granted before they were paid: the charge for each, and whether it was paid or needs no payment.
create table plan_grants (
  tenant_id uuid not null,
  lot_id uuid not null,
  student_id uuid not null,
  plano_id uuid not null,
  quantidade int not null,
  em timestamptz not null,
  charge_id uuid,
  paga boolean not null default false,
  dispensada boolean not null default false,
  primary key (tenant_id, lot_id)
);
create index plan_grants_of_student on plan_grants (tenant_id, student_id);
create index plan_grants_of_charge on plan_grants (tenant_id, charge_id) where charge_id is not null;
alter table plan_grants alter student_id set statistics 0;
select prepare_tenant_table('plan_grants', 'select, insert, update, delete');

-- The charges for plans that grant credits, or are for credits granted before.
create table plan_charges (
  tenant_id uuid not null,
  charge_id uuid not null,
  student_id uuid not null,
  plano_id uuid not null,
  aberta boolean not null default true,
  primary key (tenant_id, charge_id)
);
create index plan_charges_open on plan_charges (tenant_id, student_id) where aberta;
alter table plan_charges alter student_id set statistics 0;
select prepare_tenant_table('plan_charges', 'select, insert, update, delete');
