-- Who people are (schema auth: no tenant), what they belong to, and the functions that lead from a person to a tenant.

create table auth.users (
  id uuid primary key,
  email text not null constraint users_email_key unique check (email = lower(email)),
  -- Null for somebody who only ever signs in by mail or through a provider.
  password_hash text,
  -- Travels in every access token and lies in the browser's storage: a name, and nothing more about a person.
  user_metadata jsonb not null,
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether a mail or a provider has shown that the address is theirs.
  email_proven boolean not null default false,
  new_email text constraint users_new_email_check check (new_email = lower(new_email)),
  recovery_sent_at timestamptz,
  email_change_sent_at timestamptz
);
create index users_new_email on auth.users (new_email) where new_email is not null;
alter table auth.users alter email set statistics 0, alter new_email set statistics 0, alter user_metadata set statistics 0;
-- An account can be deleted: its row goes at once, and takes along what hangs on it.
grant select, insert, update, delete on auth.users to rende_app;

-- CPF, birth date and phone, sealed with a key derived from the master key. The fingerprint is a keyed hash of the CPF.
create table auth.profiles (
  user_id uuid primary key references auth.users on delete cascade,
  -- A student need not tell the CPF.
  cpf_fingerprint bytea constraint profiles_cpf_key unique,
  sealed bytea not null
);
grant insert on auth.profiles to rende_app;

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
-- The worker sweeps away enrolments that nobody finished, and what else is over below.
grant select, delete on auth.factors to rende_projector;

-- A row stays after its end: the history names devices by it.
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  refresh_key bytea not null,
  refresh_counter bigint not null default 0,
  user_agent text,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz,
  -- How the person showed who they are: [{method, timestamp}], the newest last.
  amr jsonb not null default '[]',
  -- Until then the password may be set without the old one.
  recovery_until timestamptz,
  -- Without its last part: IPv4 to /24, IPv6 to /48.
  address text,
  -- The factor that the session has shown (aal2); none: aal1.
  factor_id uuid references auth.factors on delete set null
) with (fillfactor = 70);
create index sessions_of_user on auth.sessions (user_id) where ended_at is null;
create index sessions_of_factor on auth.sessions (factor_id) where factor_id is not null;
alter table auth.sessions alter user_agent set statistics 0, alter address set statistics 0;
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
  created_at timestamptz not null default now(),
  -- Keys of access tokens take turns: the newest active one signs, the one before it stays until its last token is over.
  active_from timestamptz not null default now()
);
grant select on auth.signing_keys to rende_app;
grant select, delete on auth.signing_keys to rende_projector;

create table tenants (
  tenant_id uuid primary key,
  slug text not null constraint tenants_slug_key unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  timezone text not null,
  created_at timestamptz not null default now(),
  -- In what the business counts its money (ISO 4217).
  currency text not null default 'BRL' check (currency ~ '^[A-Z]{3}$')
);
alter table tenants alter slug set statistics 0;
-- A slug is made of a name, and free for the next one when the tenant goes.
select prepare_tenant_table('tenants', 'select, insert, delete', 'select');
-- A trainer says in which zone the business is.
grant update (timezone) on tenants to rende_app;

-- They stay after their person until the tenant was left.
create table memberships (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  role text not null check (role in ('personal', 'aluno')),
  student_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  check ((role = 'aluno') = (student_id is not null))
);
create index memberships_of_user on memberships (user_id);
-- One account for each student.
create unique index memberships_student_key on memberships (tenant_id, student_id);
-- The projector reads who has an account: a student without one is notified of nothing.
select prepare_tenant_table('memberships', 'select, insert, delete', 'select');

-- Sign-ups whose address is not confirmed yet. The id is that of the user to come; several may want one address, and
-- whoever reads the mail decides. `sealed` holds what the person told: name, CPF, birth date, phone.
create table auth.pending_sign_ups (
  id uuid primary key,
  email text not null check (email = lower(email)),
  password_hash text not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  -- The browser that asked, and what it exchanges a code with.
  device bytea,
  code_challenge text
);
create index pending_sign_ups_email on auth.pending_sign_ups (email, created_at desc);
create index pending_sign_ups_age on auth.pending_sign_ups (created_at);
alter table auth.pending_sign_ups alter email set statistics 0;
grant select, insert, delete on auth.pending_sign_ups to rende_app;
grant select, delete on auth.pending_sign_ups to rende_projector;

-- Codes and links that were or will be sent by mail. They follow from the id and the master key: nothing of them is here.
create table auth.mail_tokens (
  id uuid primary key,
  kind text not null check (kind in
    ('signup', 'magiclink', 'recovery', 'email_change_current', 'email_change_new', 'reauthentication')),
  -- A user or a pending sign-up; null where nobody has the address that was asked for.
  owner_id uuid,
  code_challenge text,
  redirect_to text,
  created_at timestamptz not null default now(),
  -- From the moment in which it is handed to the mail server.
  valid_until timestamptz,
  tries integer not null default 0,
  used_at timestamptz,
  -- Whether the browser that signed up asked for the mail: only then does what the mail leads to keep the sign-up's password.
  by_applicant boolean not null default false,
  -- Which address a mail was asked for, by its fingerprint and whether or not somebody has it, and by which browser. Digits that
  -- are typed count against the mail that the same browser asked for.
  asked_for bytea,
  device bytea
);
create index mail_tokens_owner on auth.mail_tokens (owner_id);
create index mail_tokens_age on auth.mail_tokens (created_at);
create index mail_tokens_asked_for on auth.mail_tokens (asked_for, created_at desc);
grant select, insert, update, delete on auth.mail_tokens to rende_app;
grant select, delete on auth.mail_tokens to rende_projector;

-- Codes of the PKCE flow, to be exchanged for a session by the browser that began it. They follow from the id.
create table auth.flow_states (
  id uuid primary key,
  -- Null where the code belongs to a sign-up, which becomes an account when it is exchanged.
  user_id uuid references auth.users on delete cascade,
  -- How the person showed who they are, as the token's `amr` names it.
  method text not null,
  code_challenge text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- What the browser that began exchanges its code for: a session, or its own session with one more identity.
  session_id uuid references auth.sessions on delete cascade,
  provider text,
  subject text,
  provider_email text,
  -- Of the sign-up, and whether the account keeps its password.
  sign_up_id uuid references auth.pending_sign_ups on delete cascade,
  keeps_password boolean not null default false,
  -- The mail whose link led to the code: it is used when the code is exchanged, so that opening the link alone uses nothing.
  mail_token_id uuid references auth.mail_tokens on delete cascade,
  constraint flow_states_owner_check check (num_nonnulls(user_id, sign_up_id) = 1)
);
create index flow_states_age on auth.flow_states (created_at);
create index flow_states_sign_up on auth.flow_states (sign_up_id) where sign_up_id is not null;
create index flow_states_mail_token on auth.flow_states (mail_token_id) where mail_token_id is not null;
grant select, insert, update, delete on auth.flow_states to rende_app;
grant select, delete on auth.flow_states to rende_projector;

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
grant select, delete on auth.factor_challenges to rende_projector;

-- Keyed hashes of codes that stand in for the app, once each.
create table auth.recovery_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
grant select, insert, delete on auth.recovery_codes to rende_app;

-- As the user object lists them; null where there are none.
create function auth.factors_of(p_user uuid) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('id', id, 'factor_type', 'totp', 'friendly_name', friendly_name,
    'status', case when verified_at is null then 'unverified' else 'verified' end,
    'last_challenged_at', last_challenged_at, 'created_at', created_at, 'updated_at', updated_at)
    order by created_at, id)
  from auth.factors where user_id = p_user
$$;

-- The one way from a session to tenants. No row: the session is over or not this user's. `stale` says that its last
-- sign of life is more than a minute old, `aal` and `next_aal` which assurance level the session has and which it needs: 2 where
-- its user has a factor.
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

-- Who people are at Google and Apple.
create table auth.identities (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google', 'apple')),
  -- The provider's own name for the person, which never changes; an address may.
  subject text not null,
  email text not null,
  last_sign_in_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_subject_key unique (provider, subject)
);
create index identities_user on auth.identities (user_id);
alter table auth.identities alter email set statistics 0, alter subject set statistics 0;
grant select, insert, update, delete on auth.identities to rende_app;

-- On the way to a provider and back. State, nonce and verifier follow from the id and the master key.
create table auth.provider_flows (
  id uuid primary key,
  provider text not null,
  -- Set where the code goes to the browser that began, and to no other.
  code_challenge text,
  redirect_to text not null,
  -- The session that wants the identity linked; null for signing in.
  session_id uuid references auth.sessions on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- Who came back from a provider and has no account yet: what the provider said of them, sealed, for an hour. Null once
  -- they have one.
  newcomer bytea
);
grant select, insert, update on auth.provider_flows to rende_app;
grant select, delete on auth.provider_flows to rende_projector;

-- As the user object lists them, beside the address that signs in with a password or a mail; null where there are none.
create function auth.identities_of(p_user uuid) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('identity_id', id, 'id', subject, 'user_id', user_id, 'provider', provider,
    'identity_data', jsonb_build_object('sub', subject, 'email', email, 'email_verified', true), 'email', email,
    'last_sign_in_at', last_sign_in_at, 'created_at', created_at, 'updated_at', updated_at) order by created_at, id)
  from auth.identities where user_id = p_user
$$;

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

-- Somebody reads and changes their own profile. The application may not look through the others: it names the person.
create function auth.profile_of(p_user uuid) returns bytea
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select sealed from auth.profiles where user_id = p_user
$$;
revoke execute on function auth.profile_of from public;
grant execute on function auth.profile_of to rende_app;

create function auth.keep_profile(p_user uuid, p_sealed bytea, p_cpf_fingerprint bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into auth.profiles (user_id, sealed, cpf_fingerprint) values (p_user, p_sealed, p_cpf_fingerprint)
  on conflict (user_id) do update set sealed = excluded.sealed, cpf_fingerprint = excluded.cpf_fingerprint
$$;
revoke execute on function auth.keep_profile from public;
grant execute on function auth.keep_profile to rende_app;

-- What people take along of their own. A copy is made by the worker, waits sealed for its owner, and goes within a day.
create table auth.account_exports (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  -- While a worker makes it nobody else does.
  claimed_until timestamptz,
  attempts integer not null default 0,
  done_at timestamptz,
  -- Given up: its owner asks for another one.
  failed_at timestamptz,
  -- Of the file.
  bytes bigint,
  -- The session that asked for a copy, with a proof: no other is shown it or sent it.
  session_id uuid,
  check (done_at is null or failed_at is null),
  check ((done_at is null) = (bytes is null))
);
-- One at a time.
create unique index account_exports_user on auth.account_exports (user_id);
create index account_exports_waiting on auth.account_exports (created_at) where done_at is null and failed_at is null;
grant select, insert, update, delete on auth.account_exports to rende_app;
grant select, delete on auth.account_exports to rende_projector;

-- The file in pieces, each sealed with a key derived from the master key.
create table auth.account_export_parts (
  export_id uuid not null references auth.account_exports on delete cascade,
  n integer not null,
  sealed bytea not null,
  primary key (export_id, n)
);
alter table auth.account_export_parts alter sealed set storage external;
grant select, insert, delete on auth.account_export_parts to rende_app;

-- The tenants that a person belongs to, and as whom, without a session of theirs.
create function auth.memberships_of(p_user uuid)
returns table (tenant_id uuid, slug text, timezone text, role text, student_id uuid, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id, t.slug, t.timezone, m.role, m.student_id,
    (select u.user_metadata ->> 'nome' from public.memberships o join auth.users u on u.id = o.user_id
     where o.tenant_id = m.tenant_id and o.role = 'personal' order by o.created_at limit 1)
  from public.memberships m join public.tenants t using (tenant_id)
  where m.user_id = p_user
  order by m.created_at, m.tenant_id
$$;
revoke execute on function auth.memberships_of from public;
grant execute on function auth.memberships_of to rende_app;

-- An account is deleted in one step, and then each tenant that it belonged to is left under that tenant's lock: those that nobody is
-- left for are closed, and everybody in them is forgotten.
-- Who was deleted and may still have memberships: what a process that ended on the way has left to do.
create table auth.departures (
  user_id uuid primary key,
  at timestamptz not null default now()
);
grant select, insert, delete on auth.departures to rende_app;

-- A browser keeps a random secret in a cookie; its fingerprint is kept here. It shows that a sign-up is confirmed by the
-- browser that asked for it, and from which browsers somebody has signed in before.
create table auth.known_devices (
  user_id uuid not null references auth.users on delete cascade,
  device bytea not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
create index known_devices_age on auth.known_devices (seen_at);
grant select, insert, update, delete on auth.known_devices to rende_app;
grant select, delete on auth.known_devices to rende_projector;

-- Who has a CPF, by its fingerprint: they are told by mail when somebody signs up with it.
create function auth.owner_of_cpf(p_fingerprint bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select user_id from auth.profiles where cpf_fingerprint = p_fingerprint
$$;
revoke execute on function auth.owner_of_cpf from public;
grant execute on function auth.owner_of_cpf to rende_app;

-- Whoever may write signing keys could sign a token for anybody: the owner alone writes them (keys:rotate). The application may
-- have the first one made, by a function that does nothing where there is one.
create function auth.add_first_signing_key(p_kid text, p_public_jwk jsonb, p_private_key bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Of several processes that start at once, the first one makes the key; the others wait here and find it.
  lock table auth.signing_keys in share row exclusive mode;
  insert into auth.signing_keys (kid, public_jwk, private_key)
    select p_kid, p_public_jwk, p_private_key where not exists (select from auth.signing_keys);
end $$;
revoke execute on function auth.add_first_signing_key from public;
grant execute on function auth.add_first_signing_key to rende_app;

-- What happened to the security of an account: shown to nobody but its person and the operator, and what the mails to the
-- person are about. Who tried in vain is in the log alone, which strangers cannot fill this way.
create table auth.security_events (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  event text not null check (event in
    ('password_changed', 'email_changed', 'factor_added', 'factor_removed', 'export_requested', 'new_device')),
  at timestamptz not null default now(),
  -- The session that did it.
  session_id uuid,
  user_agent text,
  -- Without its last part.
  address text
);
create index security_events_of_user on auth.security_events (user_id, at desc);
create index security_events_age on auth.security_events (at);
alter table auth.security_events alter user_agent set statistics 0, alter address set statistics 0;
grant select, insert on auth.security_events to rende_app;
grant select, delete on auth.security_events to rende_projector;

-- Every slug that leads to a tenant: its current one, and former ones for a year. One table, so that no two tenants ever
-- have the same one.
create table slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  tenant_id uuid not null,
  -- null for the current one
  until timestamptz
);
create index slugs_of_tenant on slugs (tenant_id, until);
alter table slugs alter slug set statistics 0;
select prepare_tenant_table('slugs', 'select');

-- A new tenant's slug; one that leads elsewhere is not inserted, and the next one is tried. A restore brings the slugs first.
create function take_slug() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.slugs s where s.slug = new.slug and s.until < now();
  insert into public.slugs as s (slug, tenant_id) values (new.slug, new.tenant_id)
    on conflict (slug) do update set until = null where s.tenant_id = new.tenant_id;
  if not found then
    return null;
  end if;
  return new;
end $$;

create function free_slugs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.slugs s where s.tenant_id = old.tenant_id;
  return null;
end $$;
revoke execute on function take_slug, free_slugs from public;
create trigger takes_slug before insert on tenants for each row execute function take_slug();
create trigger frees_slugs after delete on tenants for each row execute function free_slugs();

-- The one way from a public address to a tenant.
create function tenant_of_slug(p_slug text, p_now timestamptz) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.tenant_id from public.slugs s where s.slug = p_slug and (s.until is null or s.until > p_now)
$$;
revoke execute on function tenant_of_slug from public;
grant execute on function tenant_of_slug to rende_app;

-- The tenants that work, for jobs that look at each: ids and zones alone.
create function tenants_open() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from public.tenants t
  where not exists (select from public.closed_tenants c where c.tenant_id = t.tenant_id) order by 1
$$;
revoke execute on function tenants_open from public;
grant execute on function tenants_open to rende_app;

-- The tenant in sight gets another slug; its former one leads on until the given instant. False: it leads to somebody else.
-- Former slugs lead on for their whole year: how many a tenant may have is refused before, not cut off here. Those that are over
-- go with the next change.
create function change_slug(p_slug text, p_now timestamptz, p_until timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own uuid := nullif(current_setting('app.tenant', true), '')::uuid;
begin
  delete from public.slugs s where (s.slug = p_slug or s.tenant_id = own) and s.until < p_now;
  insert into public.slugs as s (slug, tenant_id) values (p_slug, own)
    on conflict (slug) do update set until = null where s.tenant_id = own;
  if not found then
    return false;
  end if;
  update public.slugs s set until = p_until where s.tenant_id = own and s.slug <> p_slug and s.until is null;
  update public.tenants t set slug = p_slug where t.tenant_id = own;
  return true;
end $$;
revoke execute on function change_slug from public;
grant execute on function change_slug to rende_app;
