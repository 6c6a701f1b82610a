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
select prepare_read_table('read.classes');

-- What series that share their hours have in common.
alter table read.series add column turma_id uuid;

-- One session of each hour whose minimum is to be decided now.
create function classes_to_decide(p_now timestamptz)
returns table (tenant_id uuid, timezone text, session_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select distinct on (m.tenant_id, m.grupo_id, m.inicio) m.tenant_id, t.timezone, m.id
    from read.classes c
    join public.tenants t on t.tenant_id = c.tenant_id
    join read.sessions s on s.tenant_id = c.tenant_id and not s.deleted
      and s.inicio > p_now and s.inicio <= p_now + make_interval(hours => c.minimo_horas)
      and s.inicio - make_interval(hours => c.minimo_horas) >= c.em
    join read.sessions m on m.tenant_id = s.tenant_id and m.grupo_id = s.grupo_id and m.inicio = s.inicio
      and m.status = 'agendada' and not m.deleted
    where c.aberta and c.minimo_alunos is not null and not c.decididas ? s.grupo_id::text
      and (s.grupo_id = c.id or exists (
        select from read.series r where r.tenant_id = s.tenant_id and r.id = s.serie_id and r.turma_id = c.id))
      and not exists (select from public.closed_tenants x where x.tenant_id = c.tenant_id)
    order by m.tenant_id, m.grupo_id, m.inicio, m.id;
end $$;
revoke execute on function classes_to_decide from public;
grant execute on function classes_to_decide to rende_app;
