-- A restore is noted before it writes the first row, so that nobody opens a database which a failed one left empty.
alter table restores add column filled_at timestamptz;
update restores set filled_at = started_at;
