-- An account can be deleted. What is told of its person goes in one step, and then each tenant that it belonged to is left
-- under that tenant's lock: those that nobody is left for are closed, and everybody in them is forgotten.

-- The person's row goes at once, and takes along what hangs on it; memberships stay until their tenant was left.
alter table auth.profiles drop constraint profiles_user_id_fkey,
  add constraint profiles_user_id_fkey foreign key (user_id) references auth.users on delete cascade;
alter table auth.sessions drop constraint sessions_user_id_fkey,
  add constraint sessions_user_id_fkey foreign key (user_id) references auth.users on delete cascade;
alter table auth.flow_states drop constraint flow_states_user_id_fkey,
  add constraint flow_states_user_id_fkey foreign key (user_id) references auth.users on delete cascade;
alter table memberships drop constraint memberships_user_id_fkey;
grant delete on auth.users to rende_app;

-- Who was deleted and may still have memberships: what a process that ended on the way has left to do.
create table auth.departures (
  user_id uuid primary key,
  at timestamptz not null default now()
);
grant select, insert, delete on auth.departures to rende_app;

-- Businesses that are over: nothing is ever recorded in them again.
create table public.closed_tenants (
  tenant_id uuid primary key
);
select prepare_tenant_table('public.closed_tenants', 'select, insert');
-- A slug is made of a name, and free for the next one.
grant delete on public.tenants to rende_app;

-- As before, and no command finds the log of a tenant that is closed.
create or replace function lock_log(
  p_tenant uuid, p_user uuid, p_scope text, p_key text,
  out log_position bigint, out log_head bytea,
  out stored_body_hash text, out stored_answer json, out stored_position bigint
) language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  select l.position, l.head_hash into log_position, log_head
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

-- Nor do the planner's samples keep what was said of somebody until the next analysis.
alter table auth.users
  alter email set statistics 0, alter new_email set statistics 0, alter user_metadata set statistics 0;
alter table auth.identities alter email set statistics 0, alter subject set statistics 0;
alter table auth.sessions alter user_agent set statistics 0, alter address set statistics 0;
alter table auth.pending_sign_ups alter email set statistics 0;
alter table public.tenants alter slug set statistics 0;
