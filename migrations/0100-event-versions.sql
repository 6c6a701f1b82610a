-- A set-based projection names the schema versions that it handles. An event of another version stops it, visibly.
create function refuse_event_version(p_type text, p_version smallint) returns boolean language plpgsql as $$
begin
  raise exception 'no statement handles % of version %', p_type, p_version using errcode = 'RD002';
end $$;
