-- Money: transactions and what follows from them. Amounts are cents.

create table read.transactions (
  tenant_id uuid not null,
  id uuid not null,
  tipo text not null check (tipo in ('receita', 'despesa')),
  descricao text,
  -- negative in a reversal
  valor bigint not null,
  -- [{tipo, valor}]: the parts of a receita, negative in its reversal
  alocacoes jsonb not null,
  metodo_pagamento text not null,
  data date not null,
  estorno_de uuid,
  estornada_por uuid,
  registrada_em timestamptz not null,
  primary key (tenant_id, id)
);
create index transactions_by_date on read.transactions (tenant_id, data desc, registrada_em desc, id desc);
select prepare_read_table('read.transactions');

-- One row per month (its first day) that ever had a transaction; reversals subtract from all of it.
create table read.finance_months (
  tenant_id uuid not null,
  mes date not null,
  lancamentos integer not null,
  receitas integer not null,
  recebido bigint not null,
  despesas bigint not null,
  imposto bigint not null,
  reserva bigint not null,
  operacional bigint not null,
  retirada bigint not null,
  primary key (tenant_id, mes)
);
select prepare_read_table('read.finance_months');
