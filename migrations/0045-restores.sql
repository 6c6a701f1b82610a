-- A restore fills an empty database in one transaction, and then forgets, rebuilds and verifies. Until all of that is
-- done the application does not open.
create table restores (
  -- Which file: the salt of its keys.
  backup text primary key,
  -- The moment that the backup shows.
  backup_of timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
grant select on restores to rende_app;
