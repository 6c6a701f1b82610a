-- Imports of students from files, for the list from which they are taken back.
create table read.student_imports (
  tenant_id uuid not null,
  id uuid not null,
  em timestamptz not null,
  alunos integer not null,
  removidos integer not null,
  mantidos integer not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_imports');
