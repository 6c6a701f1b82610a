-- Another calendar of the trainer's, whose events block times: its address, as it was pasted.
create table read.other_calendar (
  tenant_id uuid not null,
  id uuid not null,
  calendar_id uuid not null,
  link_ics text,
  desde timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.other_calendar alter column link_ics set statistics 0;
select prepare_read_table('read.other_calendar');

-- How its reading goes. It follows from what others serve, not from the log, and so does the next table.
create table public.other_calendar_reads (
  tenant_id uuid primary key,
  calendar_id uuid not null,
  lido_em timestamptz,
  falha_desde timestamptz,
  -- which failure, and the status where the server answered with one
  falha text,
  -- when it is read again; a worker that takes it up moves it on
  proxima_em timestamptz not null
);
select prepare_tenant_table('public.other_calendar_reads', 'select, insert, update, delete', 'select, delete');

-- When the trainer is busy by it: nothing but times, none touching another.
create table public.other_calendar_busy (
  tenant_id uuid not null,
  inicio timestamptz not null,
  fim timestamptz not null,
  primary key (tenant_id, inicio)
);
select prepare_tenant_table('public.other_calendar_busy', 'select, insert, delete', 'select, delete');

-- Calendars of all tenants that are to be read. The bound keeps one look small; the next one goes on.
create function other_calendars_due(p_now timestamptz)
returns table (tenant_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.tenant_id from read.other_calendar c
  join public.tenants t on t.tenant_id = c.tenant_id
  left join public.other_calendar_reads r on r.tenant_id = c.tenant_id and r.calendar_id = c.calendar_id
  where r.proxima_em is null or r.proxima_em <= p_now
  order by r.proxima_em nulls first
  limit 40
$$;
revoke execute on function other_calendars_due from public;
grant execute on function other_calendars_due to rende_app;
