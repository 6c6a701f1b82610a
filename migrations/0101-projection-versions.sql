-- Which version of each projection the read tables hold. Where a worker knows another version, or does not know the
-- projection at all, it leaves that projection of a tenant aside for a worker that knows it. A migration that removes a
-- projection's tables deletes its row here too.
create table projection_version (
  projection text primary key,
  version integer not null check (version > 0)
);
grant select, insert, update on projection_version to rende_projector;

-- What the version before this migration has projected. Without a tenant there is nothing to build.
insert into projection_version
select projection, 1 from unnest(array[
  'credit-notes', 'credits', 'finance-months', 'financial-settings', 'history', 'locations', 'plans', 'policies',
  'sessions', 'student-access', 'students', 'transactions'
]) as projection
where exists (select from tenant_log);

-- A projection that is not live for a tenant has a row of its own: parked, or being caught up. `version` is the version
-- that wrote its rows; the builder writes them anew where it knows another one (0: nothing was written).
alter table projection_checkpoint add column version integer not null default 0;
update projection_checkpoint set version = 1 where projection <> 'live';
create index projection_checkpoint_aside on projection_checkpoint (projection) where projection <> 'live';

-- Projections that are not live for some tenant: their names alone, for readiness and for reads that look closer.
create function projections_behind() returns table (projection text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct c.projection from public.projection_checkpoint c where c.projection <> 'live' order by 1
$$;
revoke execute on function projections_behind from public;
grant execute on function projections_behind to rende_app, rende_projector;
