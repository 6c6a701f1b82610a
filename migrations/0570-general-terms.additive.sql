-- What a tenant has agreed to last of the general policies and terms; no row before.
create table read.general_terms (
  tenant_id uuid not null,
  id uuid not null,
  versao text not null,
  aceito_em timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.general_terms');
