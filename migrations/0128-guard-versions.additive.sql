-- Which guards a tenant's guard rows follow, and which version of each: 'name version, …' in the order of the names. A
-- command is decided only where that is what its process knows; otherwise the guards are first built from the log.
-- Tenants that are there already have the guards of the version before that this one still knows. A migration that
-- removes a guard takes its name out of every tenant's set: a name that a process does not know is of a newer one.
alter table tenant_log add column guards text not null
  default 'closed-tenants 1, credit-lots 1, session-slots 1, student-invites 1';
alter table tenant_log alter column guards set default '';

-- Building a guard anew begins with an empty table. Row security keeps that to the tenant in sight, and the rows follow
-- from the log; a function with the owner's rights would see the rows of every tenant.
grant delete on closed_tenants, credit_lots, location_links, student_invites, student_links to rende_app;

-- The same as with four arguments, for a process that says which guards it knows: `guards_built` is whether the tenant's
-- are those.
create function lock_log(
  p_tenant uuid, p_user uuid, p_scope text, p_key text, p_guards text,
  out log_position bigint, out log_head bytea, out guards_built boolean,
  out stored_body_hash text, out stored_answer json, out stored_position bigint
) language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position, l.head_hash, l.guards = p_guards into log_position, log_head, guards_built
  from tenant_log l where l.tenant_id = p_tenant for no key update;
  if p_key is not null then
    select k.body_hash, k.answer, k.position into stored_body_hash, stored_answer, stored_position
    from idempotency_keys k
    where k.tenant_id = p_tenant and k.user_id = p_user and k.scope = p_scope and k.key = p_key
      and k.recorded_at > now() - interval '48 hours';
  end if;
end $$;

-- The same as with ten arguments, for a process that says which guards it writes. RD001 also where the tenant's guards are
-- others: then they are to be built first.
create function record_command(
  p_tenant uuid, p_position bigint, p_head bytea, p_events jsonb, p_meta jsonb,
  p_user uuid, p_scope text, p_key text, p_body_hash text, p_answer json, p_guards text
) returns bytea language plpgsql as $$
declare
  count integer := jsonb_array_length(p_events);
  hashes bytea[] := array[p_head];
  event jsonb;
  now_ timestamptz := clock_timestamp();
begin
  perform set_config('app.tenant', p_tenant::text, true);
  for n in 1 .. count loop
    event := p_events -> n - 1;
    hashes[n + 1] := event_hash(hashes[n], p_position + n, event ->> 'stream_id', (event ->> 'version')::integer,
                                event ->> 'type', (event ->> 'schema_version')::smallint, event -> 'data', p_meta, now_);
  end loop;
  -- Takes the tenant's lock, if the command does not hold it: nothing is written before.
  update tenant_log l set position = p_position + count, head_hash = hashes[count + 1]
  where l.tenant_id = p_tenant and l.head_hash = p_head and l.guards = p_guards;
  if not found then
    raise exception 'the log has moved' using errcode = 'RD001';
  end if;
  for n in 1 .. count loop
    event := p_events -> n - 1;
    insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
    values (p_tenant, p_position + n, event ->> 'stream_id', (event ->> 'version')::integer, event ->> 'type',
            (event ->> 'schema_version')::smallint, event -> 'data', p_meta, now_, hashes[n + 1]);
  end loop;
  if p_key is not null then
    insert into idempotency_keys as k (tenant_id, user_id, scope, key, body_hash, answer, position)
    values (p_tenant, p_user, p_scope, p_key, p_body_hash, p_answer, p_position + count)
    on conflict (tenant_id, user_id, scope, key) do update
      set body_hash = excluded.body_hash, answer = excluded.answer, position = excluded.position, recorded_at = now()
      where k.recorded_at <= now() - interval '48 hours';
    if not found then
      raise exception 'the key was answered before' using errcode = 'RD001';
    end if;
  end if;
  return hashes[count + 1];
end $$;

-- A process of the version before does not write the guards that are new: after it they are to be built again.
create or replace function record_command(
  p_tenant uuid, p_position bigint, p_head bytea, p_events jsonb, p_meta jsonb,
  p_user uuid, p_scope text, p_key text, p_body_hash text, p_answer json
) returns bytea language plpgsql as $$
declare
  stored text;
  head bytea;
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.guards into stored from tenant_log l where l.tenant_id = p_tenant for no key update;
  head := record_command(p_tenant, p_position, p_head, p_events, p_meta, p_user, p_scope, p_key, p_body_hash, p_answer,
                         stored);
  if head <> p_head then
    update tenant_log l set guards = '' where l.tenant_id = p_tenant and l.guards <> '';
  end if;
  return head;
end $$;

-- A tenant without events has whatever guards its first command knows.
create function open_tenant(p_tenant uuid, p_guards text) returns void language plpgsql as $$
begin
  perform open_tenant(p_tenant);
  update tenant_log l set guards = p_guards where l.tenant_id = p_tenant;
end $$;

-- Which sets of guards there are among all tenants, for readiness and for the worker that builds them.
create function guard_sets() returns table (guards text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with recursive sets as (
    select min(l.guards) as guards from public.tenant_log l
    union all
    select (select min(l.guards) from public.tenant_log l where l.guards > s.guards) from sets s where s.guards is not null
  )
  select s.guards from sets s where s.guards is not null
$$;
revoke execute on function guard_sets from public;
grant execute on function guard_sets to rende_app, rende_projector;

-- Which fold the snapshots of each aggregate are made with, once the worker has made those of every tenant.
create table snapshot_folds (
  aggregate text primary key,
  fold smallint not null check (fold > 0)
);
grant select on snapshot_folds to rende_app;
grant select, insert, update on snapshot_folds to rende_projector;
grant select on snapshots to rende_projector;
