-- Passkeys (WebAuthn). What is kept of one opens nothing: its id, and the public key that its signatures are checked with.
create table auth.passkeys (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null,
  credential_id bytea not null constraint passkeys_credential_key unique,
  -- In COSE.
  public_key bytea not null,
  -- How many signatures the device has made; 0 for one that does not count them.
  counter bigint not null,
  -- How browsers reach the device.
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on auth.passkeys (user_id);
alter table auth.passkeys alter friendly_name set statistics 0, alter credential_id set statistics 0, alter public_key set statistics 0;
grant select, insert, update, delete on auth.passkeys to rende_app;

-- What a passkey has to sign. The challenge follows from the id and the master key: nothing of it is here.
create table auth.passkey_challenges (
  id uuid primary key,
  -- A keyed hash of the address that asked: no other may answer.
  address bytea not null,
  -- The session that asked, and no other may answer; null for signing in.
  session_id uuid references auth.sessions on delete cascade,
  created_at timestamptz not null default now()
);
create index passkey_challenges_session on auth.passkey_challenges (session_id) where session_id is not null;
create index passkey_challenges_age on auth.passkey_challenges (created_at);
grant select, insert, delete on auth.passkey_challenges to rende_app;
grant select, delete on auth.passkey_challenges to rende_projector;

-- The passkey that the session has shown, which is two factors at once (aal2).
alter table auth.sessions add column passkey_id uuid references auth.passkeys on delete set null;
create index sessions_of_passkey on auth.sessions (passkey_id) where passkey_id is not null;

-- As before, but a passkey raises a session to 2 as well. Having one asks nothing of the sessions without it.
create or replace function auth.session_memberships(p_session uuid, p_user uuid)
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
      case when s.factor_id is null and s.passkey_id is null then 1 else 2 end,
      case when exists (select from auth.factors f where f.user_id = s.user_id and f.verified_at is not null)
        then 2 else 1 end
    from auth.sessions s
    where s.id = p_session and s.user_id = p_user and auth.is_live(s);
end $$;

alter table auth.security_events drop constraint security_events_event_check;
alter table auth.security_events add constraint security_events_event_check check (event in
  ('password_changed', 'email_changed', 'factor_added', 'factor_removed', 'passkey_added', 'passkey_removed',
   'export_requested', 'new_device'));
