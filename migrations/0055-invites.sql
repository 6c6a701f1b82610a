-- Students come in by an invite. Of a link only the hash of its token is kept.
create table public.student_invites (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  token_hash bytea not null constraint student_invites_token_key unique,
  expires_at timestamptz not null,
  -- Used, or cancelled: by then all links of its student are.
  closed boolean not null default false,
  primary key (tenant_id, id)
);
create index student_invites_of_student on public.student_invites (tenant_id, student_id);
select prepare_tenant_table('public.student_invites', 'select, insert, update');

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

-- How a person calls the businesses that they belong to: by the name of each one's trainer.
create function auth.trainers_of(p_user uuid)
returns table (tenant_id uuid, nome text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select own.tenant_id, u.user_metadata ->> 'nome'
  from public.memberships own
  join public.memberships m on m.tenant_id = own.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where own.user_id = p_user
$$;
revoke execute on function auth.trainers_of from public;
grant execute on function auth.trainers_of to rende_app;

-- One account for each student, and a membership may end.
create unique index memberships_student_key on public.memberships (tenant_id, student_id);
grant delete on public.memberships to rende_app;

-- A student need not tell the CPF.
alter table auth.profiles alter cpf_fingerprint drop not null;

-- What the trainer sees of a student's account: the newest link that is open, and who accepted one.
create table read.student_access (
  tenant_id uuid not null,
  id uuid not null,
  invite_id uuid,
  expires_at timestamptz,
  user_id uuid,
  since timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_access');
