-- The last pause of each student, by the student's id: first and last day.
create table read.student_pauses (
  tenant_id uuid not null,
  id uuid not null,
  desde date not null,
  ate date not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_pauses');
