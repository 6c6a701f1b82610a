-- Warnings of credits that expire: one for each student and last day.
create table read.expiry_warnings (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  expira_em date not null,
  expires_at timestamptz not null,
  por_email boolean not null,
  preparado_em timestamptz not null,
  enviado_em timestamptz,
  primary key (tenant_id, id)
);
create index expiry_warnings_by_day on read.expiry_warnings (tenant_id, expires_at, id);
select prepare_read_table('read.expiry_warnings');
