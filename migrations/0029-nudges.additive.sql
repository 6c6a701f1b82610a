create table read.nudges (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  -- aniversario or sumindo
  motivo text not null,
  dia date not null,
  -- Null once the sending is undone.
  enviado_em timestamptz,
  primary key (tenant_id, id)
);
create index nudges_by_student on read.nudges (tenant_id, student_id, dia);
select prepare_read_table('read.nudges');
