-- Series of sessions: their rules, and the dates that were left out. Their sessions stand in read.sessions.
create table read.series (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  -- days of the week, 0 is Sunday
  dias jsonb not null,
  intervalo integer not null,
  inicio date not null,
  -- last date of the pattern; null without an end
  ate date,
  -- [{desde, deslocamento, hora, duracao, location_id, rrule}]
  trechos jsonb not null,
  preenchida_ate date not null,
  -- [{data, motivo}]
  puladas jsonb not null,
  removida boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.series');

-- Series without an end of active students that are not filled up to a day: ids alone, for the worker that fills them.
-- In plpgsql the names are looked up at each call: a rebuild puts other tables in their place.
create function series_to_fill(p_until date) returns table (tenant_id uuid, series_id uuid, timezone text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select s.tenant_id, s.id, t.timezone
    from read.series s
    join read.students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    join public.tenants t on t.tenant_id = s.tenant_id
    where s.ate is null and not s.removida and s.preenchida_ate < p_until and st.status = 'active'
      and not exists (select from public.closed_tenants c where c.tenant_id = s.tenant_id)
    order by 1, 2;
end $$;
revoke execute on function series_to_fill from public;
grant execute on function series_to_fill to rende_app;
