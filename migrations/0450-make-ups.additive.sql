-- Of a make-up: the lot that its credit came from, the session that was cancelled, and the month that it counts in.
alter table read.credit_lot_balances add origem uuid, add session_id uuid, add mes text;

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
