-- By which key browsers' push services know this instance where none is configured: made once, sealed with the master key.
create table vapid_key (
  only_row boolean primary key default true check (only_row),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);
grant select, insert on vapid_key to rende_app;

-- Browsers that show notifications, for as long as the session lasts that asked for it. Whoever has an address of a push
-- service may push to it: it is sealed with the master key.
create table auth.push_subscriptions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null,
  endpoint_hash bytea not null constraint push_subscriptions_endpoint_key unique,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create index push_subscriptions_of_user on auth.push_subscriptions (user_id, seen_at);
grant select, insert, update, delete on auth.push_subscriptions to rende_app;
grant select, delete on auth.push_subscriptions to rende_projector;

-- What somebody wants to be told of, and how; without a row what is usual.
create table notification_settings (
  tenant_id uuid not null,
  user_id uuid not null references auth.users on delete cascade,
  push text[] not null,
  email text[] not null,
  -- Times of day between which nothing is pushed.
  silencio_de text,
  silencio_ate text,
  zona text not null,
  primary key (tenant_id, user_id),
  check ((silencio_de is null) = (silencio_ate is null))
);
create index notification_settings_of_user on notification_settings (user_id);
select prepare_tenant_table('public.notification_settings', 'select, insert, update', 'select');

-- One notification to one browser: ids alone.
create table push_deliveries (
  id uuid primary key,
  tenant_id uuid not null,
  notification_id uuid not null,
  subscription_id uuid not null references auth.push_subscriptions on delete cascade,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  attempts integer not null default 0,
  done_at timestamptz,
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'gone', 'given up')),
  unique (tenant_id, notification_id, subscription_id),
  check ((done_at is null) = (outcome is null)),
  foreign key (tenant_id, notification_id) references notifications on delete cascade
) with (fillfactor = 50);
create index push_deliveries_due on push_deliveries (next_attempt_at) where done_at is null;
create index push_deliveries_of_subscription on push_deliveries (subscription_id);
select prepare_tenant_table('public.push_deliveries', 'select, update', 'select, insert');

-- Those whose time has come, of all tenants.
create function push_deliveries_due(p_now timestamptz) returns table (tenant_id uuid, delivery_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.tenant_id, d.id from public.push_deliveries d
  where d.done_at is null and d.next_attempt_at <= p_now order by d.next_attempt_at limit 100
$$;
revoke execute on function push_deliveries_due from public;
grant execute on function push_deliveries_due to rende_app;
