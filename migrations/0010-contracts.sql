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
  -- What a contract asks of whoever signs it, beside the signature.
  codigo_email boolean not null default false,
  responsavel boolean not null default false,
  -- Whether whoever has not signed is reminded by itself.
  lembretes boolean not null default true,
  primary key (tenant_id, id)
);
create index contracts_list on read.contracts (tenant_id, is_active, criado_em, id);
alter table read.contracts alter titulo set statistics 0, alter versoes set statistics 0;
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
  -- hashed with the content, so that nobody guesses what was signed
  sal text,
  nascimento text,
  -- {nome, cpf, relacao} of who signed for a minor
  responsavel jsonb,
  -- of the last code that was mailed
  codigo_numero integer,
  codigo_expira_em timestamptz,
  codigo_confirmado_em timestamptz,
  -- SHA-256 of the PDF
  arquivo_hash text,
  baixado_em timestamptz,
  -- when the next reminder is due
  lembrete_em timestamptz,
  -- to which the last code was mailed
  codigo_email text,
  -- What the time stamp in the PDF of a signature says.
  carimbo_em timestamptz,
  primary key (tenant_id, id)
);
create index signature_requests_of_contract on read.signature_requests (tenant_id, contract_id, enviado_em, id);
create index signature_requests_of_student on read.signature_requests (tenant_id, student_id, enviado_em, id);
alter table read.signature_requests
  alter campos set statistics 0, alter motivo set statistics 0, alter titulo set statistics 0,
  alter conteudo set statistics 0, alter nome set statistics 0, alter cpf set statistics 0,
  alter telefone set statistics 0, alter ip_address set statistics 0, alter navegador set statistics 0,
  alter sal set statistics 0, alter nascimento set statistics 0, alter responsavel set statistics 0,
  alter codigo_email set statistics 0;
select prepare_read_table('read.signature_requests');

-- Links under which contracts are signed and codes under which signatures are verified: of both only the hash is kept.
create table signature_links (
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
create index signature_links_of_contract on signature_links (tenant_id, contract_id, versao);
create index signature_links_signed on signature_links (expires_at) where codigo_hash is not null;
create index signature_links_open on signature_links (tenant_id, expires_at) where estado = 'aberto';
select prepare_tenant_table('signature_links', 'select, insert, update, delete');

-- The ways from a link and from a code to a tenant; a link leads to its contract too, so that both are read together.
create function auth.find_contract_link(p_token_hash bytea)
returns table (tenant_id uuid, request_id uuid, contract_id uuid, student_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id, l.contract_id, l.student_id, t.timezone
  from public.signature_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_contract_link from public;
grant execute on function auth.find_contract_link to rende_app;

create function auth.find_contract_code(p_code_hash bytea)
returns table (tenant_id uuid, request_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id, t.timezone
  from public.signature_links l join public.tenants t using (tenant_id)
  where l.codigo_hash = p_code_hash
$$;
revoke execute on function auth.find_contract_code from public;
grant execute on function auth.find_contract_code to rende_app;

-- Receipts, by the receita that each is of: what was printed does not change any more.
create table read.receipts (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid,
  numero integer not null,
  valor bigint not null,
  data date not null,
  metodo_pagamento text not null,
  nome text,
  cpf text,
  descricao text,
  de date not null,
  ate date not null,
  -- {nome, documento, cref, cidade}
  prestador jsonb not null,
  guardar_ate date not null,
  emitido_em timestamptz not null,
  enviado_em timestamptz,
  primary key (tenant_id, id)
);
create index receipts_of_month on read.receipts (tenant_id, data, numero);
create index receipts_of_student on read.receipts (tenant_id, student_id, numero) where student_id is not null;
alter table read.receipts
  alter nome set statistics 0, alter cpf set statistics 0, alter descricao set statistics 0,
  alter prestador set statistics 0;
select prepare_read_table('read.receipts');

-- Who gives the receipts: one row for each tenant.
create table read.receipt_issuers (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  documento text,
  cref text,
  cidade text,
  primary key (tenant_id, id)
);
alter table read.receipt_issuers
  alter nome set statistics 0, alter documento set statistics 0, alter cref set statistics 0,
  alter cidade set statistics 0;
select prepare_read_table('read.receipt_issuers');

-- The numbers that were given, and what the receipts' links and codes lead to: of both only the hash is kept.
create table receipt_numbers (
  tenant_id uuid not null,
  numero integer not null,
  transaction_id uuid not null,
  token_hash bytea not null constraint receipt_numbers_token_key unique,
  codigo_hash bytea not null constraint receipt_numbers_code_key unique,
  primary key (tenant_id, numero),
  constraint receipt_numbers_once unique (tenant_id, transaction_id)
);
select prepare_tenant_table('receipt_numbers', 'select, insert, delete');

-- The ways from a receipt's link and from its code to a tenant.
create function auth.find_receipt_link(p_token_hash bytea)
returns table (tenant_id uuid, transaction_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.transaction_id, t.timezone
  from public.receipt_numbers r join public.tenants t using (tenant_id)
  where r.token_hash = p_token_hash
$$;
revoke execute on function auth.find_receipt_link from public;
grant execute on function auth.find_receipt_link to rende_app;

create function auth.find_receipt_code(p_code_hash bytea)
returns table (tenant_id uuid, transaction_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.transaction_id, t.timezone
  from public.receipt_numbers r join public.tenants t using (tenant_id)
  where r.codigo_hash = p_code_hash
$$;
revoke execute on function auth.find_receipt_code from public;
grant execute on function auth.find_receipt_code to rende_app;

-- Files about a person, such as a contract's signed copy: sealed with a key of the person's, written once, never changed.
create table kept_files (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  key_id uuid not null,
  sha256 bytea not null constraint kept_files_sha256_key unique,
  sealed bytea not null,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, key_id) references person_keys (tenant_id, person_id)
);
-- It is ciphertext.
alter table kept_files alter sealed set storage external;
select prepare_tenant_table('kept_files', 'select, insert');

-- The way from a file to a tenant.
create function auth.find_kept_file(p_sha256 bytea) returns table (tenant_id uuid, id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select f.tenant_id, f.id, t.timezone
  from public.kept_files f join public.tenants t using (tenant_id)
  where f.sha256 = p_sha256
$$;
revoke execute on function auth.find_kept_file from public;
grant execute on function auth.find_kept_file to rende_app;

-- Signatures whose PDF is missing: their jobs were lost or have failed. Those of long ago, whose key is gone, are left out.
create function signed_copies_due() returns table (tenant_id uuid, request_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id from public.signature_links l
  where l.codigo_hash is not null and l.expires_at > now() - interval '30 days'
    and not exists (select from public.kept_files f where f.tenant_id = l.tenant_id and f.id = l.request_id)
  order by l.expires_at limit 100
$$;
revoke execute on function signed_copies_due from public;
grant execute on function signed_copies_due to rende_app;

-- What PDF files are signed with where no certificate is configured: made once, its key sealed with the master key.
create table pdf_certificate (
  only_row boolean primary key default true check (only_row),
  certificate bytea not null,
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on pdf_certificate to rende_app;

-- Tenants of which a reminder may be due.
create function tenants_with_open_contracts(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from public.tenants t
  where exists (select from public.signature_links l
      where l.tenant_id = t.tenant_id and l.estado = 'aberto' and l.expires_at > p_now)
    and not exists (select from public.closed_tenants c where c.tenant_id = t.tenant_id)
  order by 1
$$;
revoke execute on function tenants_with_open_contracts from public;
grant execute on function tenants_with_open_contracts to rende_app;

-- What a tenant has agreed to last of the general policies and terms; no row before.
create table read.general_terms (
  tenant_id uuid not null,
  id uuid not null,
  versao text not null,
  aceito_em timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.general_terms');
