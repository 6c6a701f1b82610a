-- The series and the group that a session is a part of. Sessions that were booked before are of none.
alter table read.sessions
  add column serie_id uuid,
  add column ocorrencia date,
  add column grupo_id uuid;
