-- A trainer's week and what differs on some dates: one row per tenant. Read whole, so it is kept as documents.
create table read.availability (
  tenant_id uuid not null,
  id uuid not null,
  -- [{day_of_week, start_time, end_time, is_blocked}]
  horarios jsonb not null,
  versao integer not null,
  -- [{data, horarios}]
  excecoes jsonb not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.availability');
