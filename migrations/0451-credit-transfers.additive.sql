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
