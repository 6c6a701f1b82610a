-- Whether visitors may see all free times of a day, not only those that are offered first.
alter table read.public_links add column ver_todos boolean not null default false;

-- An offer that the trainer sends is held from then on.
grant update (ate) on waitlist_offers to rende_app;
