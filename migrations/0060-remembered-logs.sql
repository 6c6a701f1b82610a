-- A process remembers what it folded from a tenant's log, and decides its next command on that. Whether it still holds
-- is asked where the command is written: the head of the chain stands for every event before it.
-- begin_command and finish_command stay for processes of the version before, which run until they are replaced.

-- First statement of a command that reads: names the tenant, takes its lock, looks the key up.
create function lock_log(
  p_tenant uuid, p_user uuid, p_scope text, p_key text,
  out log_position bigint, out log_head bytea,
  out stored_body_hash text, out stored_answer json, out stored_position bigint
) language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position, l.head_hash into log_position, log_head
  from tenant_log l where l.tenant_id = p_tenant for no key update;
  if p_key is not null then
    select k.body_hash, k.answer, k.position into stored_body_hash, stored_answer, stored_position
    from idempotency_keys k
    where k.tenant_id = p_tenant and k.user_id = p_user and k.scope = p_scope and k.key = p_key
      and k.recorded_at > now() - interval '48 hours';
  end if;
end $$;

-- Writes a command before its guards: appends the events and keeps the answer under its key. Answers the new head.
-- p_position and p_head: the log that the command was decided on. RD001 where it is another one by now, or where the key
-- was answered before: then the command is to be decided again, under the lock.
-- p_events: [{stream_id, version, type, schema_version, data}] in order.
create function record_command(
  p_tenant uuid, p_position bigint, p_head bytea, p_events jsonb, p_meta jsonb,
  p_user uuid, p_scope text, p_key text, p_body_hash text, p_answer json
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
  where l.tenant_id = p_tenant and l.head_hash = p_head;
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
