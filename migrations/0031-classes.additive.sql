-- Hours that students enter by themselves. The id is the group of one hour, or the turma_id of weekly hours.
create table read.classes (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  aberta boolean not null,
  vagas integer not null,
  ate_horas integer not null,
  -- With fewer students an hour is cancelled, minimo_horas before its start; null: it takes place with any number.
  minimo_alunos integer,
  minimo_horas integer not null,
  -- When that was set.
  em timestamptz not null,
  -- The groups of the last hours that were decided.
  decididas jsonb not null,
  primary key (tenant_id, id)
);
alter table read.classes alter column nome set statistics 0;
create index classes_with_minimum on read.classes (tenant_id) where aberta and minimo_alunos is not null;
select prepare_read_table('read.classes');

-- Who waits for a seat in an hour. The id is the group's.
create table read.seat_queues (
  tenant_id uuid not null,
  id uuid not null,
  inicio timestamptz,
  -- In turn: student_id, and until when a seat is theirs.
  fila jsonb not null,
  primary key (tenant_id, id)
);
create index seat_queues_waiting on read.seat_queues (tenant_id) where fila <> '[]';
select prepare_read_table('read.seat_queues');

-- What series that share their hours have in common.
alter table read.series add column turma_id uuid;

-- Hours of which something is due now: their minimum is to be decided, or somebody waits for a seat.
create function classes_due(p_now timestamptz)
returns table (tenant_id uuid, timezone text, grupo_id uuid, inicio timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select due.tenant_id, t.timezone, due.grupo_id, due.inicio
    from (
      select s.tenant_id, s.grupo_id, s.inicio
      from read.classes c
      join read.sessions s on s.tenant_id = c.tenant_id and not s.deleted
        and s.inicio > p_now and s.inicio <= p_now + make_interval(hours => c.minimo_horas)
        and s.inicio - make_interval(hours => c.minimo_horas) >= c.em
      where c.aberta and c.minimo_alunos is not null and not c.decididas ? s.grupo_id::text
        and (s.grupo_id = c.id or exists (
          select from read.series r where r.tenant_id = s.tenant_id and r.id = s.serie_id and r.turma_id = c.id))
      union
      select q.tenant_id, q.id, q.inicio from read.seat_queues q where q.fila <> '[]'
    ) due
    join public.tenants t on t.tenant_id = due.tenant_id
    where not exists (select from public.closed_tenants x where x.tenant_id = due.tenant_id)
    order by 1, 4, 3;
end $$;
revoke execute on function classes_due from public;
grant execute on function classes_due to rende_app;
