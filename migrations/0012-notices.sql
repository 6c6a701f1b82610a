-- What people are sent and shown: mails, reminders and warnings, notifications, letters that they switch off.

-- Mails that are to be sent. A row holds ids only: who gets the mail and what it says is looked up when it is sent.
create table mails (
  id uuid primary key,
  -- Null where no tenant has to do with it, as with accounts.
  tenant_id uuid,
  kind text not null,
  -- Whom it concerns: a user or a student.
  person_id uuid,
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- While a worker sends it nobody else does.
  claimed_until timestamptz,
  attempts integer not null default 0,
  done_at timestamptz,
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'given up')),
  -- The address for which a mail to a student or visitor was decided and counted, as a keyed hash: where it changed until the mail
  -- is sent, the mail is not sent.
  address_hash bytea,
  check ((done_at is null) = (outcome is null))
) with (fillfactor = 50);
create index mails_due on mails (next_attempt_at) where done_at is null;
create index mails_done on mails (done_at) where done_at is not null;
create index mails_of_person on mails (person_id);
alter table mails enable row level security;
alter table mails force row level security;
create policy owner on mails to rende_owner using (true) with check (true);
create policy projector on mails to rende_projector using (true) with check (true);
create policy written on mails for insert to rende_app
  with check (tenant_id is null or tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy tenant on mails for select to rende_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
-- Accounts have no tenant: the application sees the mails of one person at a time.
create policy person on mails for select to rende_app
  using (tenant_id is null and person_id = nullif(current_setting('app.person', true), '')::uuid);
create policy forgotten on mails for delete to rende_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid
    or tenant_id is null and person_id = nullif(current_setting('app.person', true), '')::uuid);
grant select, insert, delete on mails to rende_app;
grant select, insert, update, delete on mails to rende_projector;

-- Reminders of sessions. Of the link by which a student confirms only the hash of its token is kept.
create table reminder_tokens (
  tenant_id uuid not null,
  id uuid not null,
  token_hash bytea not null constraint reminder_tokens_token_key unique,
  session_id uuid not null,
  student_id uuid not null,
  inicio timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_tenant_table('reminder_tokens', 'select, insert, update, delete');

-- The one way from the link to a tenant.
create function auth.find_reminder(p_token_hash bytea)
returns table (tenant_id uuid, reminder_id uuid, session_id uuid, student_id uuid, inicio timestamptz,
               timezone text, personal text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.tenant_id, r.id, r.session_id, r.student_id, r.inicio, t.timezone, u.user_metadata ->> 'nome'
  from public.reminder_tokens r
  join public.tenants t using (tenant_id)
  join public.memberships m on m.tenant_id = r.tenant_id and m.role = 'personal'
  join auth.users u on u.id = m.user_id
  where r.token_hash = p_token_hash
$$;
revoke execute on function auth.find_reminder from public;
grant execute on function auth.find_reminder to rende_app;

create table read.reminders (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  student_id uuid not null,
  -- when the session was to begin: of one that was moved since this is no reminder
  inicio timestamptz not null,
  por_email boolean not null,
  preparado_em timestamptz not null,
  enviado_em timestamptz,
  confirmado_em timestamptz,
  primary key (tenant_id, id)
);
create index reminders_by_start on read.reminders (tenant_id, inicio, id);
create index reminders_of_session on read.reminders (tenant_id, session_id, inicio);
select prepare_read_table('read.reminders');

-- Sessions of all tenants whose reminder is due and was not prepared: those of tomorrow once it is 18:00 by the tenant's clocks,
-- and those of today that had their time before that and were missed. The bound keeps one look small; the next one goes on.
-- What a visitor booked is not announced before the trainer has confirmed it: the phone may be somebody else's.
create function reminders_due(p_now timestamptz)
returns table (tenant_id uuid, timezone text, session_id uuid, student_id uuid, inicio timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone, s.id, s.student_id, s.inicio
  from public.tenants t
  cross join lateral (
    select s.id, s.student_id, s.inicio, s.confirmado from read.sessions s
    where s.tenant_id = t.tenant_id and s.inicio > p_now and s.inicio < p_now + interval '32 hours'
      and not s.deleted and s.status = 'agendada'
  ) s
  cross join lateral (
    select (date_trunc('day', s.inicio at time zone t.timezone) - interval '6 hours') at time zone t.timezone as due
  ) d
  join read.session_revisions r on r.tenant_id = t.tenant_id and r.id = s.id
  join read.students st on st.tenant_id = t.tenant_id and st.id = s.student_id and st.status = 'active'
  where d.due <= p_now
    and (date_trunc('day', p_now at time zone t.timezone) < date_trunc('day', s.inicio at time zone t.timezone)
      or r.marcada_em < d.due)
    and (s.confirmado or not exists (
      select from read.visits v
      where v.tenant_id = t.tenant_id and v.session_id = s.id and v.student_id = s.student_id))
    and not exists (
      select from read.reminders m
      where m.tenant_id = t.tenant_id and m.session_id = s.id and m.student_id = s.student_id and m.inicio = s.inicio)
  order by t.tenant_id, s.inicio
  limit 2000
$$;
revoke execute on function reminders_due from public;
grant execute on function reminders_due to rende_app;

-- Warnings of credits that expire: one for each student and last day.
create table read.expiry_warnings (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  expira_em date not null,
  expires_at timestamptz not null,
  por_email boolean not null,
  preparado_em timestamptz not null,
  enviado_em timestamptz,
  primary key (tenant_id, id)
);
create index expiry_warnings_by_day on read.expiry_warnings (tenant_id, expires_at, id);
select prepare_read_table('read.expiry_warnings');

-- What a tenant lets the advisor send to the language model that is configured; no row while nothing was chosen.
create table read.advisor_sharing (
  tenant_id uuid not null,
  id uuid not null,
  envio text not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.advisor_sharing');

-- What happened that somebody is to know: made by a reaction, kept for 90 days. It holds ids, times and amounts; who is meant by
-- them is looked up when it is read.
create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  -- For whom: the trainer, or the student.
  para text not null check (para in ('personal', 'aluno')),
  -- Whom it is about, who is its reader where it is for the student.
  student_id uuid not null,
  tipo text not null,
  -- Of the session, the charge, the contract or the warning.
  subject_id uuid not null,
  -- How many of these one command made.
  quantidade integer not null default 1,
  inicio timestamptz,
  antes timestamptz,
  valor integer,
  dia date,
  -- Of the last event that it tells of.
  position bigint not null,
  em timestamptz not null,
  lida_em timestamptz,
  primary key (tenant_id, id)
);
create index notifications_of_trainer on notifications (tenant_id, em desc, id desc) where para = 'personal';
create index notifications_of_student on notifications (tenant_id, student_id, em desc, id desc) where para = 'aluno';
create index notifications_age on notifications (em);
select prepare_tenant_table('notifications', 'select', 'select, insert, update, delete');
grant update (lida_em) on notifications to rende_app;

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
  -- Letters that go to every student with an address, and that this one does not want: of charges that are due, of contracts to sign.
  desligados text[] not null default '{}',
  primary key (tenant_id, user_id),
  check ((silencio_de is null) = (silencio_ate is null))
);
create index notification_settings_of_user on notification_settings (user_id);
select prepare_tenant_table('notification_settings', 'select, insert, update', 'select');

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
select prepare_tenant_table('push_deliveries', 'select, update', 'select, insert');

-- Those whose time has come, of all tenants.
create function push_deliveries_due(p_now timestamptz) returns table (tenant_id uuid, delivery_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.tenant_id, d.id from public.push_deliveries d
  where d.done_at is null and d.next_attempt_at <= p_now order by d.next_attempt_at limit 100
$$;
revoke execute on function push_deliveries_due from public;
grant execute on function push_deliveries_due to rende_app;

-- Kinds of letters that a student has switched off by the link in one of them, with or without an account.
create table letters_off (
  tenant_id uuid not null,
  student_id uuid not null,
  kind text not null,
  primary key (tenant_id, student_id, kind)
);
select prepare_tenant_table('letters_off', 'select, insert, delete', 'select');

-- Links that switch letters off, one for each student and kind. Only the hash of a link's token is stored.
create table letter_links (
  tenant_id uuid not null,
  student_id uuid not null,
  kind text not null,
  token_hash bytea not null constraint letter_links_token_key unique,
  expires_at timestamptz not null,
  primary key (tenant_id, student_id, kind)
);
create index letter_links_age on letter_links (expires_at);
select prepare_tenant_table('letter_links', 'select, insert, update, delete', 'select, insert, update, delete');

-- The one way from such a link to a tenant.
create function auth.find_letter_link(p_token_hash bytea)
returns table (tenant_id uuid, student_id uuid, kind text, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.tenant_id, l.student_id, l.kind, t.timezone
  from public.letter_links l
  join public.tenants t using (tenant_id)
  where l.token_hash = p_token_hash and l.expires_at > now()
    and not exists (select from public.closed_tenants c where c.tenant_id = l.tenant_id)
$$;
revoke execute on function auth.find_letter_link from public;
grant execute on function auth.find_letter_link to rende_app;

-- To which addresses a tenant sends no mails to students and visitors. An address is stored as a keyed hash only, since this must
-- hold when its person was forgotten.
create table mail_stops (
  tenant_id uuid not null,
  address_hash bytea not null,
  -- The person asked for it or reported a mail as spam, or a mail came back.
  reason text not null check (reason in ('asked', 'complained', 'bounced')),
  -- Of the mail that it follows from: it lowers only the allowance of this cause, and ends mails of all.
  cause text not null check (cause in ('trainer', 'visitor', 'code')),
  at timestamptz not null default now(),
  primary key (tenant_id, address_hash, reason)
);
select prepare_tenant_table('mail_stops', 'select, insert, delete', 'select, insert, delete');

-- The mails to students and visitors of the last days, and those that did not arrive, with their reason. A mail is counted in the
-- transaction that decides to send it.
create table mail_ledger (
  tenant_id uuid not null,
  -- Null where the person was forgotten: the count of the day remains.
  person_id uuid,
  address_hash bytea not null,
  -- Whose act it follows from; each has an allowance of its own.
  cause text not null check (cause in ('trainer', 'visitor', 'code')),
  -- What it is about, such as a receipt: at most one an hour. Null: each is about something new.
  thing text,
  -- When it may go: in the future where it waits for the end of the hour.
  at timestamptz not null default now(),
  -- Why it was not sent or did not arrive; null: it was sent.
  withheld text check (withheld in ('asked', 'complained', 'bounced', 'just_sent', 'enough', 'allowance', 'failed')),
  -- By the clock of the events, so that a reaction finds what the command of its event decided.
  recorded_at timestamptz not null default clock_timestamp()
);
create index mail_ledger_of_tenant on mail_ledger (tenant_id, at);
create index mail_ledger_age on mail_ledger (at);
select prepare_tenant_table('mail_ledger', 'select, insert, update, delete', 'select, insert, update, delete');

-- What decides whether one more mail may be sent. The allowance of a day grows with the age of the account, faster where the
-- trainer's address is proven, and with the people who answer; mails of the same cause that came back and people who want no more
-- lower it. To one address, the mails that trainers and visitors cause are counted together.
create function mail_standing(p_tenant uuid, p_address bytea, p_thing text, p_cause text, p_now timestamptz)
returns table (stopped text, last_at timestamptz, to_address integer, today integer, allowance integer)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select
    (select s.reason from mail_stops s where s.tenant_id = p_tenant and s.address_hash = p_address
      order by s.reason limit 1),
    max(l.at) filter (where l.address_hash = p_address and l.thing = p_thing and l.at > p_now - interval '1 hour'),
    (count(*) filter (where l.address_hash = p_address))::integer,
    (count(*) filter (where l.cause = p_cause))::integer,
    (select greatest(5, case when days >= 30 then 300
          when exists (select from memberships m join auth.users u on u.id = m.user_id
            where m.tenant_id = p_tenant and m.role = 'personal' and u.email_proven) then least(100, 40 + 20 * days)
          else least(100, 20 + 10 * days) end
        + 5 * (select count(*) from (
            -- Not accounts that were made today with any address.
            select m.student_id from memberships m join auth.users u on u.id = m.user_id
            where m.tenant_id = p_tenant and m.student_id is not null
              and (u.email_proven or u.created_at < p_now - interval '1 day')
            union
            select r.student_id from read.reminders r where r.tenant_id = p_tenant and r.confirmado_em is not null
            limit 10 * (days + 1)) as answered)
        - 5 * (select count(*) from mail_stops s where s.tenant_id = p_tenant and s.cause = p_cause
          and s.at > p_now - interval '7 days'))
      from (select least(30, greatest(0, floor(extract(epoch from p_now - t.created_at) / 86400)))::bigint as days
        from tenants t where t.tenant_id = p_tenant) as age)::integer
  from mail_ledger l
  where l.tenant_id = p_tenant and (l.cause = 'code') = (p_cause = 'code') and l.withheld is null
    and l.at > p_now - interval '1 day'
$$;
revoke execute on function mail_standing from public;
grant execute on function mail_standing to rende_app, rende_projector;
