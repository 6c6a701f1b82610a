-- An account's lines lie on as many pages as it has lines: whoever asked for a statement of a year read 120 of them. In
-- the index they lie together. Building it takes a few seconds for a million lines. The one in its place is the only one
-- beside the key; where the table was rebuilt it has another name.
do $$ begin
  execute (
    select format('drop index %s', indexrelid::regclass) from pg_index
    where indrelid = 'read.credit_entries'::regclass and not indisprimary
  );
end $$;
create index credit_entries_student on read.credit_entries (tenant_id, student_id, position)
  include (lot_id, entry_id, quantidade, tipo, causa, plano_id, session_id, user_id, em);
