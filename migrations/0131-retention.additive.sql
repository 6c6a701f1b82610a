-- What the law makes the trainer keep of a person has a key of its own for each kind and last day. It stays when the person
-- is forgotten, and is destroyed when that day is over.
alter table person_keys
  add column retained_person uuid,
  add column retained_name text,
  add column retained_until date check (
    (retained_person is null) = (retained_name is null) and (retained_person is null) = (retained_until is null)
  );
create index person_keys_retained_of on person_keys (tenant_id, retained_person) where retained_person is not null;

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

-- The planner keeps no samples of what is said about persons, the trainer among them: the texts that
-- app.module.spec.ts finds in read tables.
alter table read.plans
  alter nome set statistics 0, alter descricao set statistics 0, alter busca set statistics 0;
alter table read.locations
  alter nome set statistics 0, alter endereco set statistics 0, alter cep set statistics 0, alter busca set statistics 0;
alter table read.transactions alter descricao set statistics 0;
