-- Cancellation policies by location; a location without a row has the default.
create table read.policies (
  tenant_id uuid not null,
  id uuid not null,
  cancel_limite_horas integer not null,
  taxa_percent integer not null,
  queima_credito boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.policies');
