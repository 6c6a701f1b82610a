-- What the trainer spends each month. Amounts are cents.
create table read.recurring_expenses (
  tenant_id uuid not null,
  id uuid not null,
  descricao text,
  valor bigint not null,
  metodo_pagamento text not null,
  categoria text,
  vence_dia integer not null,
  desde date not null,
  ate date,
  -- first day of the next month that is recorded
  proximo_mes date not null,
  ativa boolean not null,
  primary key (tenant_id, id)
);
alter table read.recurring_expenses alter column descricao set statistics 0;
create index recurring_expenses_due on read.recurring_expenses (tenant_id, proximo_mes) where ativa;
select prepare_read_table('read.recurring_expenses');
