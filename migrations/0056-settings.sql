-- What a trainer aims at and how a receita is divided. Amounts are cents; 0 where no goal was set. Shares are percent.
create table read.financial_settings (
  tenant_id uuid not null,
  id uuid not null,
  meta_mensal bigint not null,
  meta_trimestral bigint not null,
  meta_anual bigint not null,
  meta_reserva bigint not null,
  imposto integer not null,
  reserva integer not null,
  operacional integer not null,
  retirada integer not null,
  -- When the first set-up was answered to its end.
  completed_at timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.financial_settings');
