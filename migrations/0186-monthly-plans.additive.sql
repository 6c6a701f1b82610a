-- By which plan a student is charged each month, by the student's id. Amounts are cents.
create table read.monthly_plans (
  tenant_id uuid not null,
  id uuid not null,
  plano_id uuid not null,
  valor bigint not null,
  desde date not null,
  ate date,
  vence_dia integer not null,
  -- first day of the next month that is billed
  proximo_mes date not null,
  ativo boolean not null,
  primary key (tenant_id, id)
);
create index monthly_plans_due on read.monthly_plans (tenant_id, proximo_mes) where ativo;
select prepare_read_table('read.monthly_plans');
