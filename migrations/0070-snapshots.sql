-- Streams that grow for years, as they fold up to a version: a command reads the events after it. What a later fold of
-- the application finds here and does not know, it leaves alone. Derived from the log, and verified against it.
create table snapshots (
  tenant_id uuid not null,
  stream_id text not null,
  fold smallint not null check (fold > 0),
  version integer not null check (version > 0),
  state jsonb not null,
  primary key (tenant_id, stream_id)
);
select prepare_tenant_table('snapshots', 'select, insert, update');
