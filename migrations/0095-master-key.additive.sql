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
