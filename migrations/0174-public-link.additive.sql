-- Every slug that leads to a tenant: its current one, and former ones for a year. One table, so that no two tenants ever
-- have the same one.
create table public.slugs (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  tenant_id uuid not null,
  -- null for the current one
  until timestamptz
);
alter table public.slugs alter slug set statistics 0;
create index slugs_of_tenant on public.slugs (tenant_id, until);
select prepare_tenant_table('public.slugs', 'select');
insert into public.slugs (slug, tenant_id) select slug, tenant_id from public.tenants;

-- A new tenant's slug; one that leads elsewhere is not inserted, and the next one is tried. A restore brings the slugs first.
create function public.take_slug() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.slugs s where s.slug = new.slug and s.until < now();
  insert into public.slugs as s (slug, tenant_id) values (new.slug, new.tenant_id)
    on conflict (slug) do update set until = null where s.tenant_id = new.tenant_id;
  if not found then
    return null;
  end if;
  return new;
end $$;
create function public.free_slugs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.slugs s where s.tenant_id = old.tenant_id;
  return null;
end $$;
revoke execute on function public.take_slug, public.free_slugs from public;
create trigger takes_slug before insert on public.tenants for each row execute function public.take_slug();
create trigger frees_slugs after delete on public.tenants for each row execute function public.free_slugs();

-- The tenant in sight gets another slug; its former one leads on until the given instant. False: it leads to somebody else.
create function public.change_slug(p_slug text, p_now timestamptz, p_until timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own uuid := nullif(current_setting('app.tenant', true), '')::uuid;
begin
  delete from public.slugs s where s.slug = p_slug and s.until < p_now;
  insert into public.slugs as s (slug, tenant_id) values (p_slug, own)
    on conflict (slug) do update set until = null where s.tenant_id = own;
  if not found then
    return false;
  end if;
  update public.slugs s set until = p_until where s.tenant_id = own and s.slug <> p_slug and s.until is null;
  with oldest as (
    select o.slug from public.slugs o where o.tenant_id = own and o.until is not null order by o.until desc offset 10
  )
  delete from public.slugs s using oldest where s.slug = oldest.slug;
  update public.tenants t set slug = p_slug where t.tenant_id = own;
  return true;
end $$;
revoke execute on function public.change_slug from public;
grant execute on function public.change_slug to rende_app;

-- The one way from a public address to a tenant.
create function public.tenant_of_slug(p_slug text, p_now timestamptz) returns uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.tenant_id from public.slugs s where s.slug = p_slug and (s.until is null or s.until > p_now)
$$;
revoke execute on function public.tenant_of_slug from public;
grant execute on function public.tenant_of_slug to rende_app;

-- How a trainer's link is set: one row per tenant under the tenant's id; none while nothing was saved.
create table read.public_links (
  tenant_id uuid not null,
  id uuid not null,
  ativo boolean not null,
  dias integer not null,
  duracao_min integer not null,
  intervalo_min integer not null,
  por_dia integer not null,
  antecedencia_min integer not null,
  -- ids of locations; null: all that are active
  locais jsonb,
  texto text,
  whatsapp text,
  indexavel boolean not null,
  -- ids of students who cannot book
  bloqueados jsonb not null,
  primary key (tenant_id, id)
);
alter table read.public_links alter texto set statistics 0, alter whatsapp set statistics 0;
select prepare_read_table('read.public_links');
