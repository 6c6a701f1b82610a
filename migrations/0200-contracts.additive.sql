-- Contracts and terms, with every version that there was.
create table read.contracts (
  tenant_id uuid not null,
  id uuid not null,
  titulo text,
  tipo text not null,
  is_active boolean not null,
  -- number of the version in force
  versao integer not null,
  -- [{titulo, conteudo, em}], the first one is version 1
  versoes jsonb not null,
  criado_em timestamptz not null,
  alterado_em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.contracts alter titulo set statistics 0, alter versoes set statistics 0;
create index contracts_list on read.contracts (tenant_id, is_active, criado_em, id);
select prepare_read_table('read.contracts');

-- One contract as one student has it to sign; with the signed copy once it is signed.
create table read.signature_requests (
  tenant_id uuid not null,
  id uuid not null,
  contract_id uuid not null,
  student_id uuid not null,
  versao integer not null,
  -- [{campo, texto}]
  campos jsonb not null,
  -- sent, opened, signed, declined, revoked or withdrawn
  status text not null,
  expires_at timestamptz not null,
  enviado_em timestamptz not null,
  lembrado_em timestamptz,
  aberto_em timestamptz,
  encerrado_em timestamptz,
  motivo text,
  -- of the signature
  assinado_em timestamptz,
  titulo text,
  conteudo text,
  nome text,
  cpf text,
  telefone text,
  ip_address text,
  navegador text,
  conteudo_hash text,
  meio text,
  consentimento date,
  guardar_ate date,
  -- position of the signature in the log
  posicao bigint,
  primary key (tenant_id, id)
);
alter table read.signature_requests
  alter campos set statistics 0, alter motivo set statistics 0, alter titulo set statistics 0,
  alter conteudo set statistics 0, alter nome set statistics 0, alter cpf set statistics 0,
  alter telefone set statistics 0, alter ip_address set statistics 0, alter navegador set statistics 0;
create index signature_requests_of_contract on read.signature_requests (tenant_id, contract_id, enviado_em, id);
create index signature_requests_of_student on read.signature_requests (tenant_id, student_id, enviado_em, id);
select prepare_read_table('read.signature_requests');

-- Links under which contracts are signed and codes under which signatures are verified: of both only the hash is kept.
create table public.signature_links (
  tenant_id uuid not null,
  request_id uuid not null,
  contract_id uuid not null,
  student_id uuid not null,
  versao integer not null,
  token_hash bytea not null constraint signature_links_token_key unique,
  codigo_hash bytea constraint signature_links_code_key unique,
  expires_at timestamptz not null,
  -- aberto, assinado or encerrado
  estado text not null,
  primary key (tenant_id, request_id)
);
create index signature_links_of_contract on public.signature_links (tenant_id, contract_id, versao);
select prepare_tenant_table('public.signature_links', 'select, insert, update, delete');

-- The ways from a link and from a code to a tenant.
create function auth.find_signature_link(p_token_hash bytea)
returns table (tenant_id uuid, request_id uuid, student_id uuid, timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id, l.student_id, t.timezone, u.user_metadata ->> 'nome'
  from public.signature_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_signature_link from public;
grant execute on function auth.find_signature_link to rende_app;

create function auth.find_contract_code(p_code_hash bytea)
returns table (tenant_id uuid, request_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id, t.timezone
  from public.signature_links l join public.tenants t using (tenant_id)
  where l.codigo_hash = p_code_hash
$$;
revoke execute on function auth.find_contract_code from public;
grant execute on function auth.find_contract_code to rende_app;
