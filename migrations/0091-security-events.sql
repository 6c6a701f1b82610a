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
