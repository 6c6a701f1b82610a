-- Last line of the rule that no lot is ever used below zero.
create table public.credit_lots (
  tenant_id uuid not null,
  lot_id uuid not null,
  student_id uuid not null,
  remaining integer not null,
  primary key (tenant_id, lot_id),
  constraint credit_lots_never_negative check (remaining >= 0)
);
select prepare_tenant_table('public.credit_lots', 'select, insert, update');

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
create index credit_entries_student on read.credit_entries (tenant_id, student_id, position);
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
  primary key (tenant_id, lot_id)
);
create index credit_lot_balances_student on read.credit_lot_balances (tenant_id, student_id);
select prepare_read_table('read.credit_lot_balances');

-- Why a credit was used or adjusted by hand, by line of the ledger: text about a person.
create table read.credit_notes (
  tenant_id uuid not null,
  id uuid not null,
  motivo text,
  primary key (tenant_id, id)
);
select prepare_read_table('read.credit_notes');
