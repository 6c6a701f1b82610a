-- What a trainer noted about students, by day.
create table read.student_notes (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  dia date not null,
  -- null once the student is forgotten
  texto text,
  removed boolean not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.student_notes alter column texto set statistics 0;
create index student_notes_latest on read.student_notes (tenant_id, student_id, dia, criado_em, id) where not removed;
select prepare_read_table('read.student_notes');
