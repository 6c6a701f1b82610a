-- Students as lists and forms show them. `busca` is name and phone digits without accents or case: what searches look
-- into and lists are sorted by.
create table read.students (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text,
  telefone text,
  whatsapp text,
  email text,
  plano_id uuid,
  observacoes text,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
create index students_list on read.students (tenant_id, status, busca, id);
select prepare_read_table('read.students');

-- Students with sessions or credits: they can be archived, not removed.
create table public.student_links (
  tenant_id uuid not null,
  student_id uuid not null,
  primary key (tenant_id, student_id)
);
select prepare_tenant_table('public.student_links', 'select, insert');
