-- Who pays for students. Removed ones keep their row.
create table read.payers (
  tenant_id uuid not null,
  id uuid not null,
  -- null once the person is forgotten
  nome text,
  documento text,
  whatsapp text,
  email text,
  removed boolean not null,
  -- the name, to search and sort by
  busca text not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.payers alter nome set statistics 0, alter documento set statistics 0, alter whatsapp set statistics 0,
  alter email set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.payers');

-- Who pays for a student, under the student's id; null where the student does.
create table read.student_payers (
  tenant_id uuid not null,
  id uuid not null,
  payer_id uuid,
  primary key (tenant_id, id)
);
create index student_payers_of_payer on read.student_payers (tenant_id, payer_id);
select prepare_read_table('read.student_payers');

-- In whose name it is, where that is not the student.
alter table read.receipts add column payer_id uuid;

-- A charge is mailed to who pays.
create or replace function tenants_with_reminders_due(p_now timestamptz) returns table (tenant_id uuid, timezone text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select t.tenant_id, t.timezone
  from public.tenants_open() t, lateral (select (p_now at time zone t.timezone)::date as today) d
  where exists (
    select from read.charges c
    join read.students s on s.tenant_id = c.tenant_id and s.id = c.student_id
    left join read.student_payers l on l.tenant_id = s.tenant_id and l.id = s.id
    left join read.payers y on y.tenant_id = l.tenant_id and y.id = l.payer_id
    where c.tenant_id = t.tenant_id and c.status = 'aberta' and c.vencimento between d.today - 14 and d.today + 3
      and (c.avisada_em is null or c.avisada_em < d.today - 3) and (c.prometida is null or c.prometida < d.today)
      and s.status = 'active' and case when y.id is null then s.email else y.email end is not null
      and not exists (
        select from jsonb_array_elements(c.lembretes) sent
        where sent ->> 'dia' = d.today::text
          or (sent ->> 'degrau')::int = case when d.today - c.vencimento >= 7 then 7 when d.today - c.vencimento >= 3 then 3
            when d.today - c.vencimento >= 0 then 0 else -3 end))
$$;
