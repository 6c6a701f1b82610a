-- What is in use: events of 'holder' (an aggregate, or one of its streams) took it into use, so it cannot be removed.
-- `used` is the stream of what is used. Filled from the log like every guard that is new.
create table public.uses (
  tenant_id uuid not null,
  used text not null,
  holder text not null,
  primary key (tenant_id, used, holder)
);
create index uses_holder on public.uses (tenant_id, holder);
select prepare_tenant_table('public.uses', 'select, insert, delete');

-- The version before looks into student_links, location_links and plan_links until its last process is replaced.
create function keep_former_links() returns trigger language plpgsql as $$
declare
  kind text := split_part(coalesce(new.used, old.used), ':', 1);
  id uuid := split_part(coalesce(new.used, old.used), ':', 2)::uuid;
begin
  if tg_op = 'DELETE' then
    if kind = 'plan' then
      delete from plan_links l where l.tenant_id = old.tenant_id and l.plan_id = id and l.holder = old.holder;
    end if;
  elsif kind = 'student' then
    insert into student_links (tenant_id, student_id) values (new.tenant_id, id) on conflict do nothing;
  elsif kind = 'location' then
    insert into location_links (tenant_id, location_id) values (new.tenant_id, id) on conflict do nothing;
  elsif kind = 'plan' then
    insert into plan_links (tenant_id, plan_id, holder) values (new.tenant_id, id, new.holder) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger uses_keep_former_links after insert or delete on public.uses
  for each row execute function keep_former_links();
