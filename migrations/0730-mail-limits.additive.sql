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
select prepare_tenant_table('public.mail_stops', 'select, insert, delete', 'select, insert, delete');

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
  withheld text check (withheld in ('asked', 'complained', 'bounced', 'just_sent', 'enough', 'allowance', 'failed'))
);
create index mail_ledger_of_tenant on mail_ledger (tenant_id, at);
create index mail_ledger_age on mail_ledger (at);
select prepare_tenant_table('public.mail_ledger', 'select, insert, update, delete', 'select, insert, update, delete');

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
