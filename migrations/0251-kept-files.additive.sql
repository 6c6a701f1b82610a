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
create index signature_links_signed on signature_links (expires_at) where codigo_hash is not null;

-- What PDF files are signed with where no certificate is configured: made once, its key sealed with the master key.
create table pdf_certificate (
  only_row boolean primary key default true check (only_row),
  certificate bytea not null,
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on pdf_certificate to rende_app;

alter table read.signature_requests
  -- SHA-256 of the PDF
  add arquivo_hash text,
  add baixado_em timestamptz;
