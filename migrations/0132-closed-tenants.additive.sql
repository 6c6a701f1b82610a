-- Nothing is recorded in what is closed, as with four arguments: 0128 had left that out.
create or replace function lock_log(
  p_tenant uuid, p_user uuid, p_scope text, p_key text, p_guards text,
  out log_position bigint, out log_head bytea, out guards_built boolean,
  out stored_body_hash text, out stored_answer json, out stored_position bigint
) language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position, l.head_hash, l.guards = p_guards into log_position, log_head, guards_built
  from tenant_log l where l.tenant_id = p_tenant for no key update;
  -- A statement of its own: it sees what was committed while the lock was waited for.
  if exists (select from closed_tenants c where c.tenant_id = p_tenant) then
    log_position := null;
    return;
  end if;
  if p_key is not null then
    select k.body_hash, k.answer, k.position into stored_body_hash, stored_answer, stored_position
    from idempotency_keys k
    where k.tenant_id = p_tenant and k.user_id = p_user and k.scope = p_scope and k.key = p_key
      and k.recorded_at > now() - interval '48 hours';
  end if;
end $$;
