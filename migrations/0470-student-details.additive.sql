-- What is good to know of a student beside what a session needs; null once the person is forgotten.
alter table read.students
  add column nascimento text,
  add column emergencia_nome text,
  add column emergencia_telefone text,
  add column emergencia_relacao text,
  add column responsavel_nome text,
  add column responsavel_telefone text;
alter table read.students alter column nascimento set statistics 0;
alter table read.students alter column emergencia_nome set statistics 0;
alter table read.students alter column emergencia_telefone set statistics 0;
alter table read.students alter column emergencia_relacao set statistics 0;
alter table read.students alter column responsavel_nome set statistics 0;
alter table read.students alter column responsavel_telefone set statistics 0;
