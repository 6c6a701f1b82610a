-- How a trainer's link is set: one row per tenant under the tenant's id; none while nothing was saved.
create table read.public_links (
  tenant_id uuid not null,
  id uuid not null,
  ativo boolean not null,
  dias integer not null,
  duracao_min integer not null,
  intervalo_min integer not null,
  por_dia integer not null,
  antecedencia_min integer not null,
  -- ids of locations; null: all that are active
  locais jsonb,
  texto text,
  whatsapp text,
  indexavel boolean not null,
  -- ids of students who cannot book
  bloqueados jsonb not null,
  -- Whether the trainer has saved the link's settings: a row may stand for a changed address or a blocked phone alone.
  salvo boolean not null default true,
  primary key (tenant_id, id)
);
alter table read.public_links alter texto set statistics 0, alter whatsapp set statistics 0;
select prepare_read_table('read.public_links');

-- What visitors booked, as they told it; the session has the rest.
create table read.visits (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  student_id uuid not null,
  nome text,
  email text,
  novo boolean not null,
  consentimento integer not null,
  criado_em timestamptz not null,
  -- What the trainer wrote to a visitor when declining.
  mensagem text,
  -- When a visitor's booking lapses unless the trainer confirms it, and whether it did.
  vence_em timestamptz,
  venceu boolean not null default false,
  primary key (tenant_id, id)
);
create index visits_of_session on read.visits (tenant_id, session_id);
create index visits_lapsing on read.visits (vence_em) where vence_em is not null;
alter table read.visits alter nome set statistics 0, alter email set statistics 0, alter mensagem set statistics 0;
select prepare_read_table('read.visits');

-- Private links of visitors: of a link only the hash of its token is kept.
create table visitor_links (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint visitor_links_token_key unique,
  primary key (tenant_id, id)
);
select prepare_tenant_table('visitor_links', 'select, insert, delete');

-- The one way from a visitor's link to a tenant.
create function tenant_of_visit(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id from public.visitor_links l where l.token_hash = p_token_hash
$$;
revoke execute on function tenant_of_visit from public;
grant execute on function tenant_of_visit to rende_app;

-- Who waits for a time on a trainer's public page, as they told it.
create table read.waitlist (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  location_id uuid not null,
  nome text,
  email text,
  -- calendar dates, both included
  de date not null,
  ate date not null,
  -- parts of the day
  periodos jsonb not null,
  criado_em timestamptz not null,
  status text not null,
  pulado boolean not null,
  -- offers so far
  ofertas integer not null,
  -- of the offer that stands
  oferta_inicio timestamptz,
  oferta_fim timestamptz,
  oferta_ate timestamptz,
  visit_id uuid,
  -- Whether the trainer has sent the offer that stands by WhatsApp.
  oferta_enviada boolean not null default false,
  -- Whether the mail of the offer that stands was not sent, so that the trainer is to tell the person.
  oferta_sem_email boolean not null default false,
  primary key (tenant_id, id)
);
create index waitlist_live on read.waitlist (tenant_id, criado_em, id) where status = 'esperando';
alter table read.waitlist alter nome set statistics 0, alter email set statistics 0;
select prepare_read_table('read.waitlist');

-- Private links of the list: of a link only the hash of its token is kept.
create table waitlist_links (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint waitlist_links_token_key unique,
  primary key (tenant_id, id)
);
select prepare_tenant_table('waitlist_links', 'select, insert, delete');

-- Who still waits, in turn.
create table waitlist_entries (
  tenant_id uuid not null,
  wait_id uuid not null,
  em timestamptz not null,
  primary key (tenant_id, wait_id)
);
select prepare_tenant_table('waitlist_entries', 'select, insert, delete');

-- Times that are held for somebody who waits.
create table waitlist_offers (
  tenant_id uuid not null,
  wait_id uuid not null,
  inicio timestamptz not null,
  fim timestamptz not null,
  ate timestamptz not null,
  primary key (tenant_id, wait_id)
);
select prepare_tenant_table('waitlist_offers', 'select, insert, delete');

-- The one way from a link of the list to a tenant.
create function tenant_of_waiting(p_token_hash bytea) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id from public.waitlist_links l where l.token_hash = p_token_hash
$$;
revoke execute on function tenant_of_waiting from public;
grant execute on function tenant_of_waiting to rende_app;

-- Tenants whose list is not empty.
create function tenants_waited_for() returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct e.tenant_id, t.timezone
  from public.waitlist_entries e
  join public.tenants t on t.tenant_id = e.tenant_id
  where not exists (select from public.closed_tenants c where c.tenant_id = e.tenant_id)
$$;
revoke execute on function tenants_waited_for from public;
grant execute on function tenants_waited_for to rende_app;

-- Bookings that were answered keep their time, so those of sessions that are over are left out by it.
create function visits_lapsing(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct v.tenant_id, t.timezone
  from read.visits v
  join read.sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id and s.student_id = v.student_id
  join public.tenants t on t.tenant_id = v.tenant_id
  where v.vence_em between p_now - interval '61 days' and p_now
    and s.inicio > p_now and s.status = 'agendada' and not s.confirmado and not s.deleted
    and not exists (select from public.closed_tenants c where c.tenant_id = v.tenant_id)
$$;
revoke execute on function visits_lapsing from public;
grant execute on function visits_lapsing to rende_app;
