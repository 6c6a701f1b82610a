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

alter table auth.pending_sign_ups add device bytea, add code_challenge text;

-- A code may also belong to a sign-up that becomes an account when the code is exchanged.
alter table auth.flow_states
  alter user_id drop not null,
  add sign_up_id uuid references auth.pending_sign_ups on delete cascade,
  add constraint flow_states_owner_check check (num_nonnulls(user_id, sign_up_id) = 1);
create index flow_states_sign_up on auth.flow_states (sign_up_id) where sign_up_id is not null;

-- Whether the browser that signed up asked for the mail: only then does what the mail leads to keep the sign-up's password.
alter table auth.mail_tokens add by_applicant boolean not null default false;
alter table auth.flow_states add keeps_password boolean not null default false;
