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
  used_at timestamptz
);
grant select, insert, update on auth.provider_flows to rende_app;

-- What the browser that began exchanges its code for: a session, or its own session with one more identity.
alter table auth.flow_states
  add session_id uuid references auth.sessions on delete cascade,
  add provider text,
  add subject text,
  add provider_email text;

-- As the user object lists them, beside the address that signs in with a password or a mail; null where there are none.
create function auth.identities_of(p_user uuid) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('identity_id', id, 'id', subject, 'user_id', user_id, 'provider', provider,
    'identity_data', jsonb_build_object('sub', subject, 'email', email, 'email_verified', true), 'email', email,
    'last_sign_in_at', last_sign_in_at, 'created_at', created_at, 'updated_at', updated_at) order by created_at, id)
  from auth.identities where user_id = p_user
$$;

grant select, delete on auth.provider_flows to rende_projector;
