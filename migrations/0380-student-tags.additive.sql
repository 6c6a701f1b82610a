-- Words that the trainer groups students by: a list of texts.
alter table read.students add column etiquetas jsonb;
alter table read.students alter column etiquetas set statistics 0;
