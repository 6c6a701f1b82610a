-- Hours of which something is due now: their minimum is to be decided, a seat is to be offered or an offer to be taken back, or
-- somebody waits who is in the class or may not enter it any more.
create or replace function classes_due(p_now timestamptz)
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
        and (s.grupo_id = c.id
          or exists (select from read.series r where r.tenant_id = s.tenant_id and r.id = s.serie_id and r.turma_id = c.id)
            and not exists (select from read.classes o where o.tenant_id = s.tenant_id and o.id = s.grupo_id))
      union
      select q.tenant_id, q.id, q.inicio
      from read.seat_queues q
      cross join lateral (
        select count(*) filter (where s.status <> 'cancelada') as taken, array_agg(s.student_id) filter (where s.status <> 'cancelada') as present,
          array_agg(r.turma_id) as turmas
        from read.sessions s left join read.series r on r.tenant_id = s.tenant_id and r.id = s.serie_id
        where s.tenant_id = q.tenant_id and s.grupo_id = q.id and s.inicio = q.inicio and not s.deleted
      ) hour
      left join lateral (
        select c.aberta, c.vagas, c.ate_horas from read.classes c
        where c.tenant_id = q.tenant_id and (c.id = q.id or c.id = any (hour.turmas))
        order by c.id = q.id desc limit 1
      ) c on true
      cross join lateral (
        select count(*) filter (where f ->> 'ate' is not null) as offered, count(*) as waiting,
          bool_or(coalesce((f ->> 'ate')::timestamptz <= p_now, false) or st.id is null or st.status <> 'active' or st.nome is null
            or st.id = any (hour.present) or coalesce(p.bloqueados ? st.id::text, false) or pause.id is not null) as changed
        from jsonb_array_elements(q.fila) f
        join public.tenants z on z.tenant_id = q.tenant_id
        left join read.students st on st.tenant_id = q.tenant_id and st.id = (f ->> 'student_id')::uuid
        left join read.public_links p on p.tenant_id = q.tenant_id
        left join read.student_pauses pause on pause.tenant_id = q.tenant_id and pause.id = st.id
          and (q.inicio at time zone z.timezone)::date between pause.desde and pause.ate
      ) line
      where q.fila <> '[]' and (coalesce(not c.aberta, true) or hour.taken = 0 or line.changed
        or q.inicio - make_interval(hours => c.ate_horas) < p_now
        or line.offered <> least(greatest(c.vagas - hour.taken, 0), line.waiting))
    ) due
    join public.tenants t on t.tenant_id = due.tenant_id
    where not exists (select from public.closed_tenants x where x.tenant_id = due.tenant_id)
    order by 1, 4, 3;
end $$;
