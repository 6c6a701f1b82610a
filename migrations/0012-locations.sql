-- Locations; `busca` is the name without accents or case.
create table read.locations (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text,
  endereco text,
  cep text,
  is_active boolean not null,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
create index locations_list on read.locations (tenant_id, status, busca, id);
select prepare_read_table('read.locations');

-- Locations of sessions: they can be switched off, not removed.
create table public.location_links (
  tenant_id uuid not null,
  location_id uuid not null,
  primary key (tenant_id, location_id)
);
select prepare_tenant_table('public.location_links', 'select, insert');
