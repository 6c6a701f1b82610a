-- Months that the trainer has handed to the accountant.
create table read.delivered_months (
  tenant_id uuid not null,
  id uuid not null,
  mes date not null,
  -- when it was last handed over, at which position of the log, and whether an entry of the month was recorded since
  em timestamptz not null,
  position bigint not null,
  mudou boolean not null,
  -- the same of the deliveries before, oldest first
  antes jsonb not null,
  primary key (tenant_id, id)
);
create unique index delivered_months_mes on read.delivered_months (tenant_id, mes);
select prepare_read_table('read.delivered_months');
