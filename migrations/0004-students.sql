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
  -- Words that the trainer groups students by: a list of texts.
  etiquetas jsonb,
  -- What is good to know of a student beside what a session needs; null once the person is forgotten.
  nascimento text,
  emergencia_nome text,
  emergencia_telefone text,
  emergencia_relacao text,
  responsavel_nome text,
  responsavel_telefone text,
  -- The student's CPF, for receipts; null once the person is forgotten.
  cpf text,
  primary key (tenant_id, id)
);
create index students_list on read.students (tenant_id, status, busca, id);
alter table read.students
  alter nome set statistics 0, alter telefone set statistics 0, alter whatsapp set statistics 0,
  alter email set statistics 0, alter observacoes set statistics 0, alter busca set statistics 0,
  alter etiquetas set statistics 0, alter nascimento set statistics 0, alter emergencia_nome set statistics 0,
  alter emergencia_telefone set statistics 0, alter emergencia_relacao set statistics 0,
  alter responsavel_nome set statistics 0, alter responsavel_telefone set statistics 0, alter cpf set statistics 0;
select prepare_read_table('read.students');

-- Students come in by an invite. Of a link only the hash of its token is kept.
create table student_invites (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  token_hash bytea not null constraint student_invites_token_key unique,
  expires_at timestamptz not null,
  -- Used, or cancelled: by then all links of its student are.
  closed boolean not null default false,
  primary key (tenant_id, id)
);
create index student_invites_of_student on student_invites (tenant_id, student_id);
select prepare_tenant_table('student_invites', 'select, insert, update, delete');

-- The one way from a link to a tenant. The trainer's name is what the page greets with.
create function auth.find_invite(p_token_hash bytea)
returns table (tenant_id uuid, invite_id uuid, student_id uuid, expires_at timestamptz, closed boolean,
               timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.tenant_id, i.id, i.student_id, i.expires_at, i.closed, t.timezone, u.user_metadata ->> 'nome'
  from public.student_invites i
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = i.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where i.token_hash = p_token_hash
$$;
revoke execute on function auth.find_invite from public;
grant execute on function auth.find_invite to rende_app;

-- What the trainer sees of a student's account: the newest link that is open, and who accepted one.
create table read.student_access (
  tenant_id uuid not null,
  id uuid not null,
  invite_id uuid,
  expires_at timestamptz,
  user_id uuid,
  since timestamptz,
  area_link_id uuid,
  area_expires_at timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_access');

-- Imports of students from files, for the list from which they are taken back.
create table read.student_imports (
  tenant_id uuid not null,
  id uuid not null,
  em timestamptz not null,
  alunos integer not null,
  removidos integer not null,
  mantidos integer not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_imports');

-- Students who have agreed that those who share an hour with them read their first name, under the student's id.
create table read.partner_names (
  tenant_id uuid not null,
  id uuid not null,
  mostra boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.partner_names');

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
create index student_notes_latest on read.student_notes (tenant_id, student_id, dia, criado_em, id) where not removed;
alter table read.student_notes alter texto set statistics 0;
select prepare_read_table('read.student_notes');

-- Links by which students without an account see their area. Of a link only the hash of its token is kept.
create table area_links (
  tenant_id uuid not null,
  student_id uuid not null,
  link_id uuid not null,
  token_hash bytea not null constraint area_links_token_key unique,
  expires_at timestamptz not null,
  primary key (tenant_id, student_id)
);
select prepare_tenant_table('area_links', 'select, insert, update, delete');

-- The one way from such a link to a tenant.
create function auth.find_area_link(p_token_hash bytea)
returns table (tenant_id uuid, link_id uuid, student_id uuid, timezone text, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.link_id, l.student_id, t.timezone, l.expires_at
  from public.area_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_area_link from public;
grant execute on function auth.find_area_link to rende_app;

-- The last pause of each student, by the student's id: first and last day.
create table read.student_pauses (
  tenant_id uuid not null,
  id uuid not null,
  desde date not null,
  ate date not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_pauses');
