-- Credits of plans that were granted before they were paid: the charge for each, and whether it was paid or needs no payment.
create table public.plan_grants (
  tenant_id uuid not null,
  lot_id uuid not null,
  student_id uuid not null,
  plano_id uuid not null,
  quantidade int not null,
  em timestamptz not null,
  charge_id uuid,
  paga boolean not null default false,
  dispensada boolean not null default false,
  primary key (tenant_id, lot_id)
);
alter table public.plan_grants alter column student_id set statistics 0;
create index plan_grants_of_student on public.plan_grants (tenant_id, student_id);
create index plan_grants_of_charge on public.plan_grants (tenant_id, charge_id) where charge_id is not null;
select prepare_tenant_table('public.plan_grants', 'select, insert, update, delete');

-- The charges for plans that grant credits, or are for credits granted before.
create table public.plan_charges (
  tenant_id uuid not null,
  charge_id uuid not null,
  student_id uuid not null,
  plano_id uuid not null,
  aberta boolean not null default true,
  primary key (tenant_id, charge_id)
);
alter table public.plan_charges alter column student_id set statistics 0;
create index plan_charges_open on public.plan_charges (tenant_id, student_id) where aberta;
select prepare_tenant_table('public.plan_charges', 'select, insert, update, delete');

-- The credits granted before, for which the charge is.
alter table read.charges add column grant_id uuid;
