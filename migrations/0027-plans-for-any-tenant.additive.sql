-- The planner evaluates a stable function for its estimates, so a plan that a connection keeps for a statement followed the rows
-- of whoever asked when it was made: one made for a tenant without data could cost a large one a hundred times the right plan. The
-- value of a subquery is not known when planning. What is written is compared with the setting itself: no plan depends on that.
do $$
declare
  p record;
begin
  for p in select schemaname, tablename, policyname, qual from pg_policies where qual like '%current_setting(%' loop
    execute format('alter policy %I on %I.%I using (%s)', p.policyname, p.schemaname, p.tablename, regexp_replace(
      p.qual, '\(NULLIF\(current_setting\(''app\.\w+''::text, true\), ''''::text\)\)::uuid', '(select \&)', 'g'));
  end loop;
end $$;

create or replace function prepare_tenant_table(target regclass, app_privileges text, projector_privileges text default null)
returns void language plpgsql set search_path = pg_catalog as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to rende_app
       using (tenant_id = (select nullif(current_setting(''app.tenant'', true), '''')::uuid))
       with check (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::uuid)', target);
  execute format('create policy projector on %s to rende_projector using (true) with check (true)', target);
  execute format('create policy owner on %s to rende_owner using (true) with check (true)', target);
  execute format('grant %s on %s to rende_app', app_privileges, target);
  if projector_privileges is not null then
    execute format('grant %s on %s to rende_projector', projector_privileges, target);
  end if;
end $$;
