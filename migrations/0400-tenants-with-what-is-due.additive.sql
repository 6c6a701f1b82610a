-- Tenants of which something may be due by p_now, so that jobs read no others: ids and zones alone. Each job's own query decides.

-- Charges on a step of the ladder of which no mail was sent yet.
create function tenants_with_reminders_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t, lateral (select (p_now at time zone t.timezone)::date as today) d
  where exists (
    select from read.charges c
    join read.students s on s.tenant_id = c.tenant_id and s.id = c.student_id
    where c.tenant_id = t.tenant_id and c.status = 'aberta' and c.vencimento between d.today - 14 and d.today + 3
      and (c.avisada_em is null or c.avisada_em < d.today - 3) and (c.prometida is null or c.prometida < d.today)
      and s.status = 'active' and s.email is not null
      and not exists (
        select from jsonb_array_elements(c.lembretes) sent
        where sent ->> 'dia' = d.today::text
          or (sent ->> 'degrau')::int = case when d.today - c.vencimento >= 7 then 7 when d.today - c.vencimento >= 3 then 3
            when d.today - c.vencimento >= 0 then 0 else -3 end))
$$;

-- Monthly plans of which a month has begun that is not billed.
create function tenants_with_plans_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t
  where exists (
    select from read.monthly_plans p
    where p.tenant_id = t.tenant_id and p.ativo and p.proximo_mes <= (p_now at time zone t.timezone)::date
      and (p.ate is null or p.ate >= p.proximo_mes))
$$;

-- Recurring expenses of which a day has come that is not recorded.
create function tenants_with_expenses_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t, lateral (select (p_now at time zone t.timezone)::date as today) d
  where exists (
    select from read.recurring_expenses e
    where e.tenant_id = t.tenant_id and e.ativa and e.proximo_mes <= d.today
      and e.proximo_mes + e.vence_dia - 1 <= d.today and (e.ate is null or e.ate >= e.proximo_mes + e.vence_dia - 1))
$$;

revoke execute on function tenants_with_reminders_due, tenants_with_plans_due, tenants_with_expenses_due from public;
grant execute on function tenants_with_reminders_due, tenants_with_plans_due, tenants_with_expenses_due to rende_app;
