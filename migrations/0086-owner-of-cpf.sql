-- Who has a CPF, by its fingerprint: they are told by mail when somebody signs up with it.
create function auth.owner_of_cpf(p_fingerprint bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select user_id from auth.profiles where cpf_fingerprint = p_fingerprint
$$;
revoke execute on function auth.owner_of_cpf from public;
grant execute on function auth.owner_of_cpf to rende_app;
