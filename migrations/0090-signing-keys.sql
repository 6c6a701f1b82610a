-- Whoever may write signing keys could sign a token for anybody. From now on the owner alone writes them (keys:rotate);
-- the application may have the first one made, by a function that does nothing where there is one.
revoke insert on auth.signing_keys from rende_app;

create function auth.add_first_signing_key(p_kid text, p_public_jwk jsonb, p_private_key bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Of several processes that start at once, the first one makes the key; the others wait here and find it.
  lock table auth.signing_keys in share row exclusive mode;
  insert into auth.signing_keys (kid, public_jwk, private_key)
    select p_kid, p_public_jwk, p_private_key where not exists (select from auth.signing_keys);
end $$;
revoke execute on function auth.add_first_signing_key from public;
grant execute on function auth.add_first_signing_key to rende_app;
