-- Second factors: an authenticator app, and codes on paper for when it is lost.

create table auth.factors (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text,
  -- The shared secret of RFC 6238, sealed with a key derived from the master key.
  secret bytea not null,
  verified_at timestamptz,
  -- Number of the 30 seconds whose code was used last: no code is taken twice.
  last_used_step bigint not null default 0,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index factors_name_key on auth.factors (user_id, friendly_name);
grant select, insert, update, delete on auth.factors to rende_app;

create table auth.factor_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.factors on delete cascade,
  -- A keyed hash of the address that asked: no other may answer.
  address bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index factor_challenges_factor on auth.factor_challenges (factor_id);
grant select, insert, update on auth.factor_challenges to rende_app;

-- Keyed hashes of codes that stand in for the app, once each.
create table auth.recovery_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
grant select, insert, delete on auth.recovery_codes to rende_app;

-- The factor that the session has shown (aal2); none: aal1.
alter table auth.sessions add factor_id uuid references auth.factors on delete set null;
create index sessions_of_factor on auth.sessions (factor_id) where factor_id is not null;

-- As the user object lists them; null where there are none.
create function auth.factors_of(p_user uuid) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('id', id, 'factor_type', 'totp', 'friendly_name', friendly_name,
    'status', case when verified_at is null then 'unverified' else 'verified' end,
    'last_challenged_at', last_challenged_at, 'created_at', created_at, 'updated_at', updated_at)
    order by created_at, id)
  from auth.factors where user_id = p_user
$$;

-- As before, and the assurance level that the session has and the one that it needs: 2 where its user has a factor.
drop function auth.session_memberships;
create function auth.session_memberships(p_session uuid, p_user uuid)
returns table (stale boolean, memberships jsonb, aal integer, next_aal integer)
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
        '[]'),
      case when s.factor_id is null then 1 else 2 end,
      case when exists (select from auth.factors f where f.user_id = s.user_id and f.verified_at is not null)
        then 2 else 1 end
    from auth.sessions s
    where s.id = p_session and s.user_id = p_user and auth.is_live(s);
end $$;
revoke execute on function auth.session_memberships from public;
grant execute on function auth.session_memberships to rende_app;

-- Swept away by the worker: challenges that are over, enrolments that nobody finished.
grant select, delete on auth.factors, auth.factor_challenges to rende_projector;
