-- An event that came with an archive has been sealed since it was imported, and is named by the hash under which it was recorded first:
-- a code that was printed before leads to it here too.
create or replace function find_sealed(p_from uuid, p_to uuid, p_position bigint, p_hash text)
returns table (
  tenant_id uuid, timezone text, "position" bigint, stream_id text, type text, recorded_at timestamptz, hash text, intact boolean,
  sealed_on date
) language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.tenant_id, coalesce(t.timezone, 'America/Sao_Paulo'), e.position, e.stream_id, e.type, e.recorded_at, first.hash,
    e.hash = event_hash(coalesce(b.hash, genesis_hash(e.tenant_id)), e.position, e.stream_id, e.version, e.type, e.schema_version,
      e.data, e.meta, e.recorded_at),
    (select min(s.day) from seals s
     where s.day >= (greatest(e.recorded_at, (e.meta #>> '{origin,at}')::timestamptz) at time zone 'America/Sao_Paulo')::date)
  from tenant_log l
  join events e on e.tenant_id = l.tenant_id and e.position = p_position
  cross join lateral (select coalesce(e.meta #>> '{origin,hash}', encode(e.hash, 'hex')) as hash) first
  left join events b on b.tenant_id = e.tenant_id and b.position = e.position - 1
  left join tenants t on t.tenant_id = e.tenant_id
  where l.tenant_id between p_from and p_to and starts_with(first.hash, p_hash)
$$;
