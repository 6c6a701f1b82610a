-- Former slugs lead on for their whole year: how many a tenant may have is refused before, not cut off here. Those that are over
-- go with the next change.
create or replace function public.change_slug(p_slug text, p_now timestamptz, p_until timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own uuid := nullif(current_setting('app.tenant', true), '')::uuid;
begin
  delete from public.slugs s where (s.slug = p_slug or s.tenant_id = own) and s.until < p_now;
  insert into public.slugs as s (slug, tenant_id) values (p_slug, own)
    on conflict (slug) do update set until = null where s.tenant_id = own;
  if not found then
    return false;
  end if;
  update public.slugs s set until = p_until where s.tenant_id = own and s.slug <> p_slug and s.until is null;
  update public.tenants t set slug = p_slug where t.tenant_id = own;
  return true;
end $$;
