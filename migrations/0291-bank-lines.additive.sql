-- Lines of bank statements that were decided on, by an id that follows from what the bank calls them. Amounts are cents.
create table read.bank_lines (
  tenant_id uuid not null,
  id uuid not null,
  -- 'cobranca', 'lancamento', 'fora'
  decisao text not null,
  valor bigint not null,
  data date not null,
  charge_id uuid,
  transaction_id uuid,
  primary key (tenant_id, id)
);
create index bank_lines_of_transaction on read.bank_lines (tenant_id, transaction_id) where transaction_id is not null;
select prepare_read_table('read.bank_lines');
