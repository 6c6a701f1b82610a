-- Up to which position of a tenant's log a sweep has found that all reactions have seen it, so that the next sweep looks only
-- at tenants with newer events. `reactions` is a hash of their names and event types: it is swept anew when a release
-- changes them.
create table reaction_sweep (
  tenant_id uuid primary key,
  reactions text not null,
  position bigint not null
) with (fillfactor = 50);
alter table reaction_sweep enable row level security;
alter table reaction_sweep force row level security;
create policy projector on reaction_sweep to rende_projector using (true) with check (true);
create policy owner on reaction_sweep to rende_owner using (true) with check (true);
grant select, insert, update on reaction_sweep to rende_projector;
