-- Whether visitors may see all free times of a day, not only those that are offered first.
alter table read.public_links add column ver_todos boolean not null default false;
