-- Projections and reactions, and what the processes of an installation share.

-- How far a tenant is projected. Live projections share the row 'live', summaries, which a job of their own projects after the
-- others, the row 'summaries'. One that is not live has a row of its own (its name): parked, or being caught up.
create table projection_checkpoint (
  tenant_id uuid not null,
  projection text not null,
  position bigint not null default 0,
  parked_error text,
  parked_at timestamptz,
  -- The version that wrote its rows; the builder writes them anew where it knows another one (0: nothing was written).
  version integer not null default 0,
  primary key (tenant_id, projection)
) with (fillfactor = 50);
create index projection_checkpoint_parked on projection_checkpoint (parked_at) where parked_error is not null;
create index projection_checkpoint_aside on projection_checkpoint (projection)
  where projection not in ('live', 'summaries');
select prepare_tenant_table('projection_checkpoint', 'select, insert', 'select, insert, update, delete');

-- Payloads of socket.io's Postgres adapter that are too large for one notification.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz not null default now(),
  payload bytea not null
);
grant select, insert, delete on socket_io_attachments to rende_app, rende_projector;
grant usage on sequence socket_io_attachments_id_seq to rende_app, rende_projector;

-- Requests counted by limit and caller where there is no Redis, for all processes together. Counts need not survive a
-- crash, so they are not logged. The columns are those of rate-limiter-flexible, in its order.
create unlogged table rate_limits (
  key text primary key,
  points integer not null,
  -- End of the window in milliseconds since 1970. An hour later the row goes.
  expire bigint not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_limits to rende_app;

-- A restore fills an empty database in one transaction, and then forgets, rebuilds and verifies. Until all of that is
-- done the application does not open.
create table restores (
  -- Which file: the salt of its keys.
  backup text primary key,
  -- The moment that the backup shows.
  backup_of timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- When its rows were written: it is noted before it writes the first one, so that nobody opens a database which a failed one left empty.
  filled_at timestamptz
);
grant select on restores to rende_app;

-- Which RENDE_MASTER_KEY this database belongs to: a fingerprint, from which the key cannot be found. The first process
-- that opens the database writes it; no process opens the database with another key.
create table master_key (
  only_row boolean primary key default true check (only_row),
  fingerprint text not null
);
grant select, insert on master_key to rende_app;

-- Any wrapped key of a person, with which a database that has no fingerprint yet tells whether a master key is its own.
-- Once it has one, nobody learns anything here.
create function any_person_key() returns table (tenant_id uuid, person_id uuid, wrapped_key bytea)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select tenant_id, person_id, wrapped_key from public.person_keys where wrapped_key is not null
    and not exists (select from public.master_key) limit 1
$$;
revoke execute on function any_person_key from public;
grant execute on function any_person_key to rende_app;

-- A set-based projection names the schema versions that it handles. An event of another version stops it, visibly.
create function refuse_event_version(p_type text, p_version smallint) returns boolean language plpgsql as $$
begin
  raise exception 'no statement handles % of version %', p_type, p_version using errcode = 'RD002';
end $$;

-- Which version of each projection the read tables hold. Where a worker knows another version, or does not know the
-- projection at all, it leaves that projection of a tenant aside for a worker that knows it. A migration that removes a
-- projection's tables deletes its row here too.
create table projection_version (
  projection text primary key,
  version integer not null check (version > 0)
);
grant select, insert, update on projection_version to rende_projector;

-- Reactions that exist. One that is new begins for every tenant at what is projected then: it never sees what was recorded
-- before it existed.
create table reaction (
  name text primary key
);
grant select, insert on reaction to rende_projector;

-- How far each reaction has seen a tenant's log; from the beginning where there is no row.
create table reaction_checkpoint (
  tenant_id uuid not null,
  reaction text not null references reaction,
  position bigint not null,
  primary key (tenant_id, reaction)
) with (fillfactor = 50);
alter table reaction_checkpoint enable row level security;
alter table reaction_checkpoint force row level security;
create policy projector on reaction_checkpoint to rende_projector using (true) with check (true);
create policy owner on reaction_checkpoint to rende_owner using (true) with check (true);
grant select, insert, update on reaction_checkpoint to rende_projector;

-- Projections that are not live for some tenant: their names alone, for readiness and for reads that look closer.
create function projections_behind() returns table (projection text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct c.projection from public.projection_checkpoint c
  where c.projection not in ('live', 'summaries') order by 1
$$;
revoke execute on function projections_behind from public;
grant execute on function projections_behind to rende_app, rende_projector;

-- Up to which position of a tenant's log a sweep has found that all reactions have seen it, so that the next sweep looks only
-- at tenants with newer events. `reactions` is a hash of their names and event types: it is swept anew when a release
-- changes them.
create table reaction_sweep (
  tenant_id uuid primary key,
  reactions text not null,
  position bigint not null
) with (fillfactor = 50);
alter table reaction_sweep enable row level security;
alter table reaction_sweep force row level security;
create policy projector on reaction_sweep to rende_projector using (true) with check (true);
create policy owner on reaction_sweep to rende_owner using (true) with check (true);
grant select, insert, update on reaction_sweep to rende_projector;

-- What happened to each student, session, transaction…, as the trainer may read it. An event is in the history of
-- each of its subjects. `data` is the event's, in clear: it is written anew when a person is forgotten.
create table read.history (
  tenant_id uuid not null,
  subject text not null,
  position bigint not null,
  type text not null,
  actor uuid not null,
  -- the signed-in session it came from
  device uuid,
  recorded_at timestamptz not null,
  data jsonb not null,
  primary key (tenant_id, subject, position)
);
alter table read.history alter data set statistics 0;
select prepare_read_table('read.history');
