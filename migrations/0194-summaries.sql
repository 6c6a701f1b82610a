-- Summaries are projected by a job of their own, which follows the others: those that are live share the checkpoint 'summaries'
-- as the others share 'live'. From here on they have a new version, and are built anew.
insert into projection_checkpoint (tenant_id, projection, position)
  select tenant_id, 'summaries', position from projection_checkpoint where projection = 'live';

drop index projection_checkpoint_aside;
create index projection_checkpoint_aside on projection_checkpoint (projection)
  where projection not in ('live', 'summaries');

create or replace function projections_behind() returns table (projection text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct c.projection from public.projection_checkpoint c
  where c.projection not in ('live', 'summaries') order by 1
$$;

create or replace function open_tenant(p_tenant uuid) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash) values (p_tenant, genesis_hash(p_tenant));
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'live'), (p_tenant, 'summaries');
end $$;
