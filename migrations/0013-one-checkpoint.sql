-- The totals of months are projected together with everything else, so a tenant's live projections share one checkpoint, 'shared'.
-- It is not called 'live' any more: a worker of the former version would move that one past events whose months it leaves to 'summaries'.

-- Months that a worker of the former version has not projected yet: the builder goes on from there.
insert into projection_checkpoint (tenant_id, projection, position, version)
  select s.tenant_id, v.projection, s.position, v.version
  from projection_checkpoint s
  join projection_checkpoint l on l.tenant_id = s.tenant_id and l.projection = 'live' and l.position > s.position
  join projection_version v on v.projection = 'finance-months'
  where s.projection = 'summaries'
  on conflict do nothing;
delete from projection_checkpoint where projection = 'summaries';
update projection_checkpoint set projection = 'shared' where projection = 'live';

drop index projection_checkpoint_aside;
create index projection_checkpoint_aside on projection_checkpoint (projection) where projection <> 'shared';

create or replace function open_tenant(p_tenant uuid, p_guards text) returns void language plpgsql as $$
begin
  perform set_config('app.tenant', p_tenant::text, true);
  insert into tenant_log (tenant_id, head_hash, guards) values (p_tenant, genesis_hash(p_tenant), p_guards);
  insert into projection_checkpoint (tenant_id, projection) values (p_tenant, 'shared');
end $$;

create or replace function projections_behind() returns table (projection text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct c.projection from public.projection_checkpoint c where c.projection <> 'shared' order by 1
$$;
