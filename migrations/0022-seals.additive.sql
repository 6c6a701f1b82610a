-- Which days are sealed in files outside the database (SEALS_FOLDER), and the SHA-256 of each file's record: a file that is
-- removed or replaced differs from it. Each row is written once.
create table seals (
  day date primary key,
  record_hash bytea not null,
  made_at timestamptz not null
);
grant select, insert on seals to rende_app;

-- Where the log of each tenant stood at a moment, for the seal of the day that ended then: ids and hashes alone, ten thousand
-- tenants at a time.
create function seal_heads(p_before timestamptz, p_after uuid)
returns table (tenant_id uuid, "position" bigint, head text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, e.position, encode(e.hash, 'hex')
  from public.tenant_log l cross join lateral (
    select h.position, h.hash from public.events h
    where h.tenant_id = l.tenant_id and h.recorded_at < p_before order by h.position desc limit 1
  ) e
  where l.tenant_id > p_after order by l.tenant_id limit 10000
$$;
revoke execute on function seal_heads from public;
grant execute on function seal_heads to rende_app;

-- What trainers had verified of their log, and with what result. One at a time waits for a worker.
create table integrity_checks (
  tenant_id uuid not null,
  id uuid not null,
  requested_at timestamptz not null default now(),
  done_at timestamptz,
  result jsonb,
  primary key (tenant_id, id)
);
create unique index integrity_checks_waiting on integrity_checks (tenant_id) where done_at is null;
create index integrity_checks_age on integrity_checks (requested_at);
select prepare_tenant_table('integrity_checks', 'select, insert, update', 'select, delete');

create function waiting_integrity_checks() returns table (tenant_id uuid, id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id, c.id from public.integrity_checks c where c.done_at is null order by c.requested_at limit 1000
$$;
revoke execute on function waiting_integrity_checks from public;
grant execute on function waiting_integrity_checks to rende_app;

-- The event that a code names, among the tenants whose ids begin as it says, by position and the beginning of its hash: whether it and the one before still give its hash, and
-- the first sealed day that it is part of. Its data stays under row security.
create function find_sealed(p_from uuid, p_to uuid, p_position bigint, p_hash text)
returns table (
  tenant_id uuid, timezone text, "position" bigint, stream_id text, type text, recorded_at timestamptz, hash text, intact boolean,
  sealed_on date
) language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.tenant_id, coalesce(t.timezone, 'America/Sao_Paulo'), e.position, e.stream_id, e.type, e.recorded_at, encode(e.hash, 'hex'),
    e.hash = event_hash(coalesce(b.hash, genesis_hash(e.tenant_id)), e.position, e.stream_id, e.version, e.type, e.schema_version,
      e.data, e.meta, e.recorded_at),
    (select min(s.day) from seals s where s.day >= (e.recorded_at at time zone 'America/Sao_Paulo')::date)
  from tenant_log l
  join events e on e.tenant_id = l.tenant_id and e.position = p_position and starts_with(encode(e.hash, 'hex'), p_hash)
  left join events b on b.tenant_id = e.tenant_id and b.position = e.position - 1
  left join tenants t on t.tenant_id = e.tenant_id
  where l.tenant_id between p_from and p_to
$$;
revoke execute on function find_sealed from public;
grant execute on function find_sealed to rende_app;
