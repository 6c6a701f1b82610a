-- Kinds of letters that a student has switched off by the link in one of them, with or without an account.
create table letters_off (
  tenant_id uuid not null,
  student_id uuid not null,
  kind text not null,
  primary key (tenant_id, student_id, kind)
);
select prepare_tenant_table('public.letters_off', 'select, insert, delete', 'select');

-- Links that switch letters off, one for each student and kind. Only the hash of a link's token is stored.
create table letter_links (
  tenant_id uuid not null,
  student_id uuid not null,
  kind text not null,
  token_hash bytea not null constraint letter_links_token_key unique,
  expires_at timestamptz not null,
  primary key (tenant_id, student_id, kind)
);
create index letter_links_age on letter_links (expires_at);
select prepare_tenant_table(
  'public.letter_links', 'select, insert, update, delete', 'select, insert, update, delete');

-- The one way from such a link to a tenant.
create function auth.find_letter_link(p_token_hash bytea)
returns table (tenant_id uuid, student_id uuid, kind text, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.student_id, l.kind, t.timezone
  from public.letter_links l
  join public.tenants t using (tenant_id)
  where l.token_hash = p_token_hash and l.expires_at > now()
    and not exists (select from public.closed_tenants c where c.tenant_id = l.tenant_id)
$$;
revoke execute on function auth.find_letter_link from public;
grant execute on function auth.find_letter_link to rende_app;
