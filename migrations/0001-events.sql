-- The log, what is decided under its lock, and the functions that protect every table with a tenant.
-- Runs as rende_owner. rende_app serves requests, rende_projector writes read tables.

create extension if not exists btree_gist;

create schema auth;
create schema read;
revoke create on schema public from public;
grant usage on schema public, auth, read to rende_app, rende_projector;

-- Row security for a table with a tenant: the application sees one tenant per transaction, the projector and the
-- owner see all. After a commit app.tenant is '' and not null, hence the nullif.
create function prepare_tenant_table(target regclass, app_privileges text, projector_privileges text default null)
returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to rende_app
       using (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)
       with check (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)', target);
  execute format('create policy projector on %s to rende_projector using (true) with check (true)', target);
  execute format('create policy owner on %s to rende_owner using (true) with check (true)', target);
  execute format('grant %s on %s to rende_app', app_privileges, target);
  if projector_privileges is not null then
    execute format('grant %s on %s to rende_projector', projector_privileges, target);
  end if;
end $$;

-- The planner's statistics keep samples of a column's values, of forgotten persons too, until the next analysis: of columns that
-- hold what is said about a person there are none (`set statistics 0`). A rebuild takes that over to the new table.
create function prepare_read_table(target regclass)
returns void language sql set search_path = pg_catalog, public as $$
  select public.prepare_tenant_table(target, 'select', 'select, insert, update, delete')
$$;
revoke execute on function prepare_tenant_table, prepare_read_table from public;

-- One row per tenant: the lock of its commands, the counter of its positions, the head of its hash chain.
create table tenant_log (
  tenant_id uuid primary key,
  position bigint not null default 0,
  head_hash bytea not null,
  -- Which guards a tenant's guard rows follow, and which version of each: 'name version, …' in the order of the names. A
  -- command is decided only where that is what its process knows; otherwise the guards are first built from the log.
  -- A migration that removes a guard takes its name out of every tenant's set: a name that a process does not know is of a
  -- newer one.
  guards text not null default ''
) with (fillfactor = 50);
create index tenant_log_guards on tenant_log (guards, tenant_id);
select prepare_tenant_table('tenant_log', 'select, insert, update', 'select');

create table events (
  tenant_id uuid not null,
  position bigint not null check (position > 0),
  stream_id text not null,
  version integer not null check (version > 0),
  type text not null,
  schema_version smallint not null check (schema_version > 0),
  data jsonb not null,
  meta jsonb not null,
  recorded_at timestamptz not null,
  hash bytea not null,
  primary key (tenant_id, position),
  unique (tenant_id, stream_id, version)
);
select prepare_tenant_table('events', 'select, insert', 'select');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed: % refused', tg_op using errcode = 'restrict_violation';
end $$;
create trigger events_are_never_changed before update or delete on events
  for each row execute function refuse_change();
create trigger events_are_never_truncated before truncate on events
  for each statement execute function refuse_change();

-- Answers of commands by Idempotency-Key: ids and positions only, kept 48 hours. json keeps them to the letter.
create table idempotency_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  scope text not null,
  key text not null,
  body_hash text not null,
  answer json not null,
  position bigint not null,
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, user_id, scope, key)
);
create index idempotency_keys_age on idempotency_keys (recorded_at);
select prepare_tenant_table('idempotency_keys', 'select, insert, update', 'select, delete');

-- The key that encrypts what events say about a person. A forgotten person keeps the row without the key.
create table person_keys (
  tenant_id uuid not null,
  person_id uuid not null,
  wrapped_key bytea,
  created_at timestamptz not null default now(),
  forgotten_at timestamptz,
  -- What the law makes the trainer keep of a person has a key of its own for each kind and last day. It stays when the person
  -- is forgotten, and is destroyed when that day is over.
  retained_person uuid,
  retained_name text,
  retained_until date,
  primary key (tenant_id, person_id),
  check ((wrapped_key is null) = (forgotten_at is not null)),
  check ((retained_person is null) = (retained_name is null) and (retained_person is null) = (retained_until is null))
);
create index person_keys_retained_of on person_keys (tenant_id, retained_person) where retained_person is not null;
select prepare_tenant_table('person_keys', 'select, insert', 'select');
-- Forgetting a person destroys the key under which the log speaks of them. That is the only change a key ever knows.
grant update (wrapped_key, forgotten_at) on person_keys to rende_app;

-- Over what is stored, because jsonb reorders keys; U+001F cannot occur inside the parts.
create function event_hash(
  previous bytea, p_position bigint, p_stream_id text, p_version integer, p_type text, p_schema_version smallint,
  p_data jsonb, p_meta jsonb, p_recorded_at timestamptz
) returns bytea language sql stable as $$
  select sha256(previous || convert_to(concat_ws(e'\x1f', p_position, p_stream_id, p_version, p_type, p_schema_version,
    p_data::text, p_meta::text, (extract(epoch from p_recorded_at) * 1000000)::bigint), 'UTF8'))
$$;

create function genesis_hash(p_tenant uuid) returns bytea language sql immutable as $$
  select sha256(convert_to(p_tenant::text, 'UTF8'))
$$;

create function refuse_key_change() returns trigger language plpgsql as $$
begin
  if old.wrapped_key is null or new.wrapped_key is not null
    or (new.tenant_id, new.person_id, new.created_at) is distinct from (old.tenant_id, old.person_id, old.created_at) then
    raise exception 'the key of a person is only ever destroyed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keys_are_only_destroyed before update on person_keys for each row execute function refuse_key_change();

-- Businesses that are over: nothing is ever recorded in them again.
create table closed_tenants (
  tenant_id uuid primary key
);
-- Building a guard anew begins with an empty table, hence the right to delete from it. Row security keeps that to the tenant in
-- sight, and the rows follow from the log; a function with the owner's rights would see the rows of every tenant.
select prepare_tenant_table('closed_tenants', 'select, insert, delete');

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
select prepare_tenant_table('snapshots', 'select, insert, update', 'select');

-- A tenant begins: its log, with whatever guards its first command knows, and its checkpoints.
create function open_tenant(p_tenant uuid, p_guards text) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash, guards) values (p_tenant, genesis_hash(p_tenant), p_guards);
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'live'), (p_tenant, 'summaries');
end $$;

-- A process remembers what it folded from a tenant's log, and decides its next command on that. Whether it still holds
-- is asked where the command is written: the head of the chain stands for every event before it.

-- First statement of a command that reads: names the tenant, takes its lock, looks the key up. No log is found of a tenant that is
-- closed. `guards_built` is whether the tenant's guards are those that the process knows.
create function lock_log(
  p_tenant uuid, p_user uuid, p_scope text, p_key text, p_guards text,
  out log_position bigint, out log_head bytea, out guards_built boolean,
  out stored_body_hash text, out stored_answer json, out stored_position bigint
) language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position, l.head_hash, l.guards = p_guards into log_position, log_head, guards_built
  from tenant_log l where l.tenant_id = p_tenant for no key update;
  -- A statement of its own: it sees what was committed while the lock was waited for.
  if exists (select from closed_tenants c where c.tenant_id = p_tenant) then
    log_position := null;
    return;
  end if;
  if p_key is not null then
    select k.body_hash, k.answer, k.position into stored_body_hash, stored_answer, stored_position
    from idempotency_keys k
    where k.tenant_id = p_tenant and k.user_id = p_user and k.scope = p_scope and k.key = p_key
      and k.recorded_at > now() - interval '48 hours';
  end if;
end $$;

-- Writes a command before its guards: appends the events and keeps the answer under its key. Answers the new head.
-- p_position and p_head: the log that the command was decided on; p_guards: the guards that the process writes. RD001 where the
-- log or the guards are others by now, or where the key was answered before: then the command is to be decided again, under the lock.
-- p_events: [{stream_id, version, type, schema_version, data}] in order.
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

-- What is in use: events of 'holder' (an aggregate, or one of its streams) took it into use, so it cannot be removed.
-- `used` is the stream of what is used. Filled from the log like every guard that is new.
create table uses (
  tenant_id uuid not null,
  used text not null,
  holder text not null,
  primary key (tenant_id, used, holder)
);
create index uses_holder on uses (tenant_id, holder);
select prepare_tenant_table('uses', 'select, insert, delete');

-- Keys of forgotten persons that were kept until a day before this one: ids alone, for the worker that ends them.
create function retention_over(p_today date) returns table (tenant_id uuid, person_id uuid, key_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.tenant_id, k.retained_person, k.person_id
  from public.person_keys k
  join public.person_keys own on own.tenant_id = k.tenant_id and own.person_id = k.retained_person
  where k.retained_until < p_today and k.wrapped_key is not null and own.wrapped_key is null
  order by 1, 2, 3 limit 1000
$$;
revoke execute on function retention_over from public;
grant execute on function retention_over to rende_app;

-- Gives tenants the guards of a new release at once where there is nothing to build: no event that any of these guards takes,
-- and no row in any of their tables. Looks at the next thousand tenants with the set `p_from` and a short log, and answers the
-- last of them (null: there are no more) and how many have the new set now.
create function adopt_guards(
  p_from text, p_to text, p_types text[], p_tables text[], p_after uuid, out last_tenant uuid, out adopted integer
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenants uuid[];
  guard_table text;
begin
  select array_agg(t.tenant_id order by t.tenant_id) into tenants from (
    select l.tenant_id from tenant_log l
    where l.guards = p_from and l.tenant_id > p_after and l.position <= 100
    order by l.tenant_id limit 1000
  ) t;
  last_tenant := tenants[cardinality(tenants)];
  -- Under the tenants' locks, which a command that is under way holds: no event can come any more. The next statement sees all.
  select array_agg(t.tenant_id) into tenants from (
    select l.tenant_id from tenant_log l
    where l.tenant_id = any(tenants) and l.guards = p_from for no key update skip locked
  ) t;
  select array_agg(t.tenant_id) into tenants from unnest(tenants) as t(tenant_id)
  where not exists (select from events e where e.tenant_id = t.tenant_id and e.type = any(p_types));
  foreach guard_table in array p_tables loop
    execute format(
      'select array_agg(t.tenant_id) from unnest($1) as t(tenant_id)
       where not exists (select from %I g where g.tenant_id = t.tenant_id)', guard_table
    ) into tenants using tenants;
  end loop;
  update tenant_log l set guards = p_to where l.tenant_id = any(tenants);
  get diagnostics adopted = row_count;
end $$;
revoke execute on function adopt_guards from public;
grant execute on function adopt_guards to rende_projector;
