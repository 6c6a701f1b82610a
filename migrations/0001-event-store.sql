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

create function prepare_read_table(target regclass)
returns void language sql set search_path = pg_catalog, public as $$
  select public.prepare_tenant_table(target, 'select', 'select, insert, update, delete')
$$;
revoke execute on function prepare_tenant_table, prepare_read_table from public;

-- One row per tenant: the lock of its commands, the counter of its positions, the head of its hash chain.
create table tenant_log (
  tenant_id uuid primary key,
  position bigint not null default 0,
  head_hash bytea not null
) with (fillfactor = 50);
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
  primary key (tenant_id, person_id),
  check ((wrapped_key is null) = (forgotten_at is not null))
);
select prepare_tenant_table('person_keys', 'select, insert', 'select');

-- How far a tenant is projected. Live projections share the row 'live'; one that is parked has a row of its own
-- (its name), and one that is being rebuilt too ('rebuild:' and its name).
create table projection_checkpoint (
  tenant_id uuid not null,
  projection text not null,
  position bigint not null default 0,
  parked_error text,
  parked_at timestamptz,
  primary key (tenant_id, projection)
) with (fillfactor = 50);
create index projection_checkpoint_parked on projection_checkpoint (parked_at) where parked_error is not null;
select prepare_tenant_table('projection_checkpoint', 'select, insert', 'select, insert, update, delete');

-- Payloads of socket.io's Postgres adapter that are too large for one notification.
create table socket_io_attachments (
  id bigserial primary key,
  created_at timestamptz not null default now(),
  payload bytea not null
);
grant select, insert, delete on socket_io_attachments to rende_app, rende_projector;
grant usage on sequence socket_io_attachments_id_seq to rende_app, rende_projector;

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

-- A tenant begins: its log and its checkpoint.
create function open_tenant(p_tenant uuid) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash) values (p_tenant, genesis_hash(p_tenant));
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'live');
end $$;

-- First statement of every command: names the tenant, takes its lock, looks the key up.
create function begin_command(p_tenant uuid, p_user uuid, p_scope text, p_key text)
returns table (log_position bigint, stored_body_hash text, stored_answer json, stored_position bigint)
language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position into log_position from tenant_log l where l.tenant_id = p_tenant for no key update;
  if p_key is not null then
    select k.body_hash, k.answer, k.position into stored_body_hash, stored_answer, stored_position
    from idempotency_keys k
    where k.tenant_id = p_tenant and k.user_id = p_user and k.scope = p_scope and k.key = p_key
      and k.recorded_at > now() - interval '48 hours';
  end if;
  return next;
end $$;

-- Last statement of every command before its guards: appends the events and keeps the answer under its key.
-- p_events: [{stream_id, version, type, schema_version, data}] in order. Answers the position of the last event.
create function finish_command(
  p_tenant uuid, p_events jsonb, p_meta jsonb,
  p_user uuid, p_scope text, p_key text, p_body_hash text, p_answer json
) returns bigint language plpgsql as $$
declare
  at_position bigint;
  head bytea;
  now_ timestamptz := clock_timestamp();
  event record;
begin
  select l.position, l.head_hash into strict at_position, head from tenant_log l where l.tenant_id = p_tenant;
  for event in
    select e.* from rows from (
      jsonb_to_recordset(p_events) as (stream_id text, version integer, type text, schema_version smallint, data jsonb)
    ) with ordinality as e(stream_id, version, type, schema_version, data, n) order by e.n
  loop
    at_position := at_position + 1;
    head := event_hash(head, at_position, event.stream_id, event.version, event.type, event.schema_version,
                       event.data, p_meta, now_);
    insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
    values (p_tenant, at_position, event.stream_id, event.version, event.type, event.schema_version, event.data,
            p_meta, now_, head);
  end loop;
  update tenant_log l set position = at_position, head_hash = head where l.tenant_id = p_tenant and l.position <> at_position;
  if p_key is not null then
    insert into idempotency_keys as k (tenant_id, user_id, scope, key, body_hash, answer, position)
    values (p_tenant, p_user, p_scope, p_key, p_body_hash, p_answer, at_position)
    on conflict (tenant_id, user_id, scope, key) do update
      set body_hash = excluded.body_hash, answer = excluded.answer, position = excluded.position, recorded_at = now();
  end if;
  return at_position;
end $$;
