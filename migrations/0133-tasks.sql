-- Tasks and their lists. All texts are the trainer's own; the planner keeps no samples of them.

-- The order of a trainer's tasks, one for all lists: what a command needs to find neighbours, and all tasks of a list.
create table public.task_places (
  tenant_id uuid not null,
  task_id uuid not null,
  list_id uuid,
  ordem text collate "C" not null,
  concluida boolean not null,
  primary key (tenant_id, task_id)
);
create index task_places_by_order on public.task_places (tenant_id, ordem);
create index task_places_by_list on public.task_places (tenant_id, list_id);
select prepare_tenant_table('public.task_places', 'select, insert, update, delete');

create table read.tasks (
  tenant_id uuid not null,
  id uuid not null,
  titulo text,
  descricao text,
  -- a day and, unless it takes the whole day, a time (hh:mm), both on the trainer's own clock
  data_vencimento date,
  hora text collate "C",
  list_id uuid,
  -- RFC 5545; null: it does not repeat
  rrule text,
  ordem text collate "C" not null,
  -- null: it is open
  concluida_em timestamptz,
  -- the task that its completion made
  proxima uuid,
  -- it is no more as it was created
  mexida boolean not null,
  -- a deleted task is kept, out of every list, until it is restored
  deleted boolean not null,
  -- title and description without accents or case: what searches look into
  busca text collate "C" not null,
  criada_em timestamptz not null,
  primary key (tenant_id, id)
);
create index tasks_by_order on read.tasks (tenant_id, ordem, id) where not deleted;
create index tasks_by_completion on read.tasks (tenant_id, concluida_em desc, id) where not deleted;
create index tasks_by_date on read.tasks (tenant_id, data_vencimento, id) where not deleted;
alter table read.tasks
  alter titulo set statistics 0, alter descricao set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.tasks');

create table read.task_lists (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  cor text not null,
  ordem text collate "C" not null,
  deleted boolean not null,
  primary key (tenant_id, id)
);
alter table read.task_lists alter nome set statistics 0;
select prepare_read_table('read.task_lists');
