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
