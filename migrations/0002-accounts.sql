-- Who people are (schema auth: no tenant), what they belong to, and the functions that lead from a person to a tenant.

create table auth.users (
  id uuid primary key,
  email text not null constraint users_email_key unique check (email = lower(email)),
  password_hash text not null,
  -- Travels in every access token and lies in the browser's storage: a name, and nothing more about a person.
  user_metadata jsonb not null,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select, insert, update on auth.users to rende_app;

-- CPF, birth date and phone, sealed with a key derived from the master key. The fingerprint is a keyed hash of the CPF.
create table auth.profiles (
  user_id uuid primary key references auth.users,
  cpf_fingerprint bytea not null constraint profiles_cpf_key unique,
  sealed bytea not null
);
grant insert on auth.profiles to rende_app;

-- A row stays after its end: the history names devices by it.
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users,
  refresh_key bytea not null,
  refresh_counter bigint not null default 0,
  user_agent text,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz
) with (fillfactor = 70);
create index sessions_of_user on auth.sessions (user_id) where ended_at is null;
grant select, insert, update on auth.sessions to rende_app;

-- Over: at most 30 days in all, 14 without a sign of life.
create function auth.is_live(s auth.sessions) returns boolean language sql stable as $$
  select s.ended_at is null and s.created_at > now() - interval '30 days' and s.last_seen_at > now() - interval '14 days'
$$;

-- Key pairs that sign access tokens. `private_key` is sealed with a key derived from the master key.
create table auth.signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on auth.signing_keys to rende_app;

create table tenants (
  tenant_id uuid primary key,
  slug text not null constraint tenants_slug_key unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  timezone text not null,
  created_at timestamptz not null default now()
);
select prepare_tenant_table('tenants', 'select, insert', 'select');

create table memberships (
  tenant_id uuid not null references tenants,
  user_id uuid not null references auth.users,
  role text not null check (role in ('personal', 'aluno')),
  student_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  check ((role = 'aluno') = (student_id is not null))
);
create index memberships_of_user on memberships (user_id);
select prepare_tenant_table('memberships', 'select, insert');

-- The one way from a session to tenants. No row: the session is over or not this user's. `stale` says that its last
-- sign of life is more than a minute old.
create function auth.session_memberships(p_session uuid, p_user uuid)
returns table (stale boolean, memberships jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select s.last_seen_at < now() - interval '1 minute',
      coalesce(
        (select jsonb_agg(jsonb_build_object('tenantId', m.tenant_id, 'slug', t.slug, 'timezone', t.timezone,
                                             'role', m.role, 'studentId', m.student_id)
                          order by m.created_at, m.tenant_id)
         from public.memberships m join public.tenants t using (tenant_id)
         where m.user_id = s.user_id),
        '[]')
    from auth.sessions s
    where s.id = p_session and s.user_id = p_user and auth.is_live(s);
end $$;
revoke execute on function auth.session_memberships from public;
grant execute on function auth.session_memberships to rende_app;
