-- Somebody reads and changes their own profile. The application may not look through the others: it names the person.
create function auth.profile_of(p_user uuid) returns bytea
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select sealed from auth.profiles where user_id = p_user
$$;
revoke execute on function auth.profile_of from public;
grant execute on function auth.profile_of to rende_app;

create function auth.keep_profile(p_user uuid, p_sealed bytea, p_cpf_fingerprint bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into auth.profiles (user_id, sealed, cpf_fingerprint) values (p_user, p_sealed, p_cpf_fingerprint)
  on conflict (user_id) do update set sealed = excluded.sealed, cpf_fingerprint = excluded.cpf_fingerprint
$$;
revoke execute on function auth.keep_profile from public;
grant execute on function auth.keep_profile to rende_app;
