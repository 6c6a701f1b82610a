-- Plans; `valor` in cents, `busca` is the name without accents or case.
create table read.plans (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text not null,
  descricao text,
  valor bigint not null,
  creditos integer not null,
  validade_dias integer,
  tipo text not null,
  is_active boolean not null,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
create index plans_list on read.plans (tenant_id, status, busca, id);
select prepare_read_table('read.plans');

-- What holds a plan, by stream: the students who have it now, the credit accounts that got credits from it.
create table public.plan_links (
  tenant_id uuid not null,
  plan_id uuid not null,
  holder text not null,
  primary key (tenant_id, plan_id, holder)
);
create index plan_links_holder on public.plan_links (tenant_id, holder);
select prepare_tenant_table('public.plan_links', 'select, insert, delete');
