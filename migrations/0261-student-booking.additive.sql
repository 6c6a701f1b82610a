-- How students with an account may book; no row while nothing was saved.
create table read.student_booking (
  tenant_id uuid not null,
  id uuid not null,
  ativo boolean not null,
  dias integer not null,
  duracao_min integer not null,
  intervalo_min integer not null,
  antecedencia_min integer not null,
  abertas integer not null,
  exige_credito boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_booking');
