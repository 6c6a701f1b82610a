-- What people take along of their own. A copy is made by the worker, waits sealed for its owner, and goes within a day.

create table auth.account_exports (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  -- While a worker makes it nobody else does.
  claimed_until timestamptz,
  attempts integer not null default 0,
  done_at timestamptz,
  -- Given up: its owner asks for another one.
  failed_at timestamptz,
  -- Of the file.
  bytes bigint,
  check (done_at is null or failed_at is null),
  check ((done_at is null) = (bytes is null))
);
-- One at a time.
create unique index account_exports_user on auth.account_exports (user_id);
create index account_exports_waiting on auth.account_exports (created_at) where done_at is null and failed_at is null;
grant select, insert, update, delete on auth.account_exports to rende_app;
grant select, delete on auth.account_exports to rende_projector;

-- The file in pieces, each sealed with a key derived from the master key.
create table auth.account_export_parts (
  export_id uuid not null references auth.account_exports on delete cascade,
  n integer not null,
  sealed bytea not null,
  primary key (export_id, n)
);
alter table auth.account_export_parts alter sealed set storage external;
grant select, insert, delete on auth.account_export_parts to rende_app;

-- The tenants that a person belongs to, and as whom, without a session of theirs.
create function auth.memberships_of(p_user uuid)
returns table (tenant_id uuid, slug text, timezone text, role text, student_id uuid, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id, t.slug, t.timezone, m.role, m.student_id,
    (select u.user_metadata ->> 'nome' from public.memberships o join auth.users u on u.id = o.user_id
     where o.tenant_id = m.tenant_id and o.role = 'personal' order by o.created_at limit 1)
  from public.memberships m join public.tenants t using (tenant_id)
  where m.user_id = p_user
  order by m.created_at, m.tenant_id
$$;
revoke execute on function auth.memberships_of from public;
grant execute on function auth.memberships_of to rende_app;
