-- What mails let people do: confirm an account, sign in without a password, set a new one, change the address.

alter table auth.users
  -- Somebody who only ever signs in by mail or through a provider has none.
  alter password_hash drop not null,
  -- Whether a mail or a provider has shown that the address is theirs.
  add email_proven boolean not null default false,
  add new_email text constraint users_new_email_check check (new_email = lower(new_email)),
  add recovery_sent_at timestamptz,
  add email_change_sent_at timestamptz;
create index users_new_email on auth.users (new_email) where new_email is not null;

-- Sign-ups whose address is not confirmed yet. The id is that of the user to come; several may want one address, and
-- whoever reads the mail decides. `sealed` holds what the person told: name, CPF, birth date, phone.
create table auth.pending_sign_ups (
  id uuid primary key,
  email text not null check (email = lower(email)),
  password_hash text not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
create index pending_sign_ups_email on auth.pending_sign_ups (email, created_at desc);
create index pending_sign_ups_age on auth.pending_sign_ups (created_at);
grant select, insert, delete on auth.pending_sign_ups to rende_app;

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
  used_at timestamptz
);
create index mail_tokens_owner on auth.mail_tokens (owner_id);
create index mail_tokens_age on auth.mail_tokens (created_at);
grant select, insert, update, delete on auth.mail_tokens to rende_app;

-- Codes of the PKCE flow, to be exchanged for a session by the browser that began it. They follow from the id.
create table auth.flow_states (
  id uuid primary key,
  user_id uuid not null references auth.users,
  -- How the person showed who they are, as the token's `amr` names it.
  method text not null,
  code_challenge text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index flow_states_age on auth.flow_states (created_at);
grant select, insert, update, delete on auth.flow_states to rende_app;

alter table auth.sessions
  -- How the person showed who they are: [{method, timestamp}], the newest last.
  add amr jsonb not null default '[]',
  -- Until then the password may be set without the old one.
  add recovery_until timestamptz,
  -- Without its last part: IPv4 to /24, IPv6 to /48.
  add address text;
update auth.sessions
  set amr = jsonb_build_array(jsonb_build_object('method', 'password', 'timestamp', extract(epoch from created_at)::bigint));

-- Whether somebody has the CPF, by its fingerprint; the application may not look through profiles.
create function auth.cpf_is_known(p_fingerprint bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from auth.profiles where cpf_fingerprint = p_fingerprint)
$$;
revoke execute on function auth.cpf_is_known from public;
grant execute on function auth.cpf_is_known to rende_app;
