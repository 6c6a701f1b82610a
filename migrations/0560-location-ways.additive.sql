-- Minutes of the way to other locations, by their ids.
alter table read.locations add column deslocamentos jsonb not null default '{}';
