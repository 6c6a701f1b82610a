-- Where a signing link leads, with its contract too, so that both are read together.
create function auth.find_contract_link(p_token_hash bytea)
returns table (tenant_id uuid, request_id uuid, contract_id uuid, student_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.request_id, l.contract_id, l.student_id, t.timezone
  from public.signature_links l
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = l.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where l.token_hash = p_token_hash
$$;
revoke execute on function auth.find_contract_link from public;
grant execute on function auth.find_contract_link to rende_app;
