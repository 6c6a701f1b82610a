-- A student's last, next and recent sessions are read from this index alone: fetching their rows took a third of the time of a
-- student's page.
drop index concurrently if exists read.sessions_of_student;
create index concurrently sessions_of_student on read.sessions (tenant_id, student_id, inicio, id) include (status, motivo)
  where not deleted;
drop index concurrently if exists read.sessions_by_student;
