-- What a tenant lets the advisor send to the language model that is configured; no row while nothing was chosen.
create table read.advisor_sharing (
  tenant_id uuid not null,
  id uuid not null,
  envio text not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.advisor_sharing');
