-- Reactions that exist. One that is new begins for every tenant at what is projected then: it never sees what was recorded
-- before it existed.
create table reaction (
  name text primary key
);
grant select, insert on reaction to rende_projector;

-- How far each reaction has seen a tenant's log; from the beginning where there is no row.
create table reaction_checkpoint (
  tenant_id uuid not null,
  reaction text not null references reaction,
  position bigint not null,
  primary key (tenant_id, reaction)
) with (fillfactor = 50);
alter table reaction_checkpoint enable row level security;
alter table reaction_checkpoint force row level security;
create policy projector on reaction_checkpoint to rende_projector using (true) with check (true);
create policy owner on reaction_checkpoint to rende_owner using (true) with check (true);
grant select, insert, update on reaction_checkpoint to rende_projector;

-- What a reaction mails is written with its checkpoint.
grant insert on mails to rende_projector;
