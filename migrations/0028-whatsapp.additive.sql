-- The number of a trainer at WhatsApp's API, connected or not: never what lets us in, which stays in the log.
create table read.whatsapp_connections (
  tenant_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  conectado boolean not null,
  desde timestamptz not null,
  -- the template of each kind that is sent by itself, and why a kind was switched off by itself
  modelos jsonb not null,
  parados jsonb not null,
  -- why nothing is sent any more
  parada integer,
  primary key (tenant_id, id)
);
select prepare_read_table('read.whatsapp_connections');

-- What became of each message.
create table read.whatsapp_messages (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  tipo text not null,
  -- the prepared message, and in whose history it stands beside the student's
  subject_id uuid not null,
  sobre_id uuid not null,
  -- what is known of it, and since when
  estado text not null,
  em timestamptz not null,
  -- the code of Meta for one that was not delivered
  motivo integer,
  primary key (tenant_id, id)
);
create index whatsapp_messages_by_subject on read.whatsapp_messages (tenant_id, subject_id);
create index whatsapp_messages_of_student on read.whatsapp_messages (tenant_id, student_id, em);
select prepare_read_table('read.whatsapp_messages');

-- What students wrote to the trainer's number.
create table read.whatsapp_answers (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  sentido text not null,
  -- null for what is no text, and once the student is forgotten
  texto text,
  em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.whatsapp_answers alter texto set statistics 0;
select prepare_read_table('read.whatsapp_answers');

-- Messages that are to be sent, once each: ids only.
create table whatsapp_outbox (
  tenant_id uuid not null,
  id uuid not null,
  tipo text not null,
  subject_id uuid not null,
  student_id uuid not null,
  sobre_id uuid not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  -- while a worker sends it nobody else does
  claimed_until timestamptz,
  -- when it was handed over, and the day of the student that it takes in the trainer's zone
  began_at timestamptz,
  dia date,
  done_at timestamptz,
  outcome text check (outcome in ('sent', 'uncertain', 'refused', 'dropped', 'enough')),
  primary key (tenant_id, id),
  check ((done_at is null) = (outcome is null))
) with (fillfactor = 50);
create unique index whatsapp_outbox_one_a_day on whatsapp_outbox (tenant_id, student_id, dia) where dia is not null;
create index whatsapp_outbox_due on whatsapp_outbox (next_attempt_at) where done_at is null;
select prepare_tenant_table('whatsapp_outbox', 'select, insert, update, delete', 'select, insert, delete');

-- What the last test of the connection read.
create table whatsapp_checks (
  tenant_id uuid primary key,
  connection_id uuid not null,
  testado_em timestamptz not null,
  falha text,
  nome text,
  numero text,
  modelos jsonb not null
);
alter table whatsapp_checks alter nome set statistics 0, alter numero set statistics 0;
select prepare_tenant_table('whatsapp_checks', 'select, insert, update, delete', 'select, delete');

-- Messages of all tenants whose time has come. The bound keeps one sweep small; the next one goes on.
create function whatsapp_due(p_now timestamptz) returns table (tenant_id uuid, message_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.tenant_id, o.id from public.whatsapp_outbox o
  join public.tenants t on t.tenant_id = o.tenant_id
  where o.done_at is null and o.next_attempt_at <= p_now and coalesce(o.claimed_until <= p_now, true)
    and not exists (select from public.closed_tenants c where c.tenant_id = o.tenant_id)
  order by o.next_attempt_at limit 100
$$;
revoke execute on function whatsapp_due from public;
grant execute on function whatsapp_due to rende_app;

-- Connections that were not tested yet.
create function whatsapp_checks_due() returns table (tenant_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id from read.whatsapp_connections c
  join public.tenants t on t.tenant_id = c.tenant_id
  where c.conectado and not exists (
    select from public.whatsapp_checks k where k.tenant_id = c.tenant_id and k.connection_id = c.connection_id)
  order by c.tenant_id limit 40
$$;
revoke execute on function whatsapp_checks_due from public;
grant execute on function whatsapp_checks_due to rende_app;

-- Trainers whose charges are told by themselves.
create function tenants_with_whatsapp_charges() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone from read.whatsapp_connections c
  join public.tenants_open() t on t.tenant_id = c.tenant_id
  where c.conectado and c.parada is null and c.modelos ? 'cobranca'
$$;
revoke execute on function tenants_with_whatsapp_charges from public;
grant execute on function tenants_with_whatsapp_charges to rende_app;
