-- Trainers who get the proof of their own log by mail on the first of each month, and since when.
create table read.seal_mails (
  tenant_id uuid not null,
  id uuid not null,
  desde timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.seal_mails');

-- The month on whose first day the check's result is mailed; null for a check that only the page shows.
alter table integrity_checks add column mailed_month date;
create unique index integrity_checks_mailed on integrity_checks (tenant_id, mailed_month);

-- Who wanted the mail before this month began (in Brasília) and has none of it yet.
create function seal_mails_due(p_month date) returns table (tenant_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.tenant_id from read.seal_mails m join public.tenants t on t.tenant_id = m.tenant_id
  where m.desde < p_month::timestamp at time zone 'America/Sao_Paulo' and not exists (
    select from public.integrity_checks c where c.tenant_id = m.tenant_id and c.mailed_month = p_month)
  order by m.tenant_id limit 1000
$$;
revoke execute on function seal_mails_due from public;
grant execute on function seal_mails_due to rende_app;
