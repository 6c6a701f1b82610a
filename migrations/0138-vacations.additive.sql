-- Vacations, and what each of them did.
create table read.vacations (
  tenant_id uuid not null,
  id uuid not null,
  start_date date not null,
  end_date date not null,
  description text,
  -- active, removed or undone
  status text not null,
  primary key (tenant_id, id)
);
alter table read.vacations alter column description set statistics 0;
create index vacations_active on read.vacations (tenant_id, start_date, id) where status = 'active';
select prepare_read_table('read.vacations');

create table read.vacation_effects (
  tenant_id uuid not null,
  id uuid not null,
  -- ids of sessions
  canceladas jsonb not null,
  -- [{session_id, inicio, fim, inicio_antes, fim_antes}]
  movidas jsonb not null,
  -- [{student_id, lotes}]
  creditos jsonb not null,
  dias integer not null,
  -- when the first of all that has passed; null where there is none
  desfazer_ate timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.vacation_effects');
