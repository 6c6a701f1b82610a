-- An account's lines lie on as many pages as it has lines: whoever asked for a statement of a year read 120 of them. In
-- the index they lie together. Building it takes a few seconds for a million lines.
drop index read.credit_entries_student;
create index credit_entries_student on read.credit_entries (tenant_id, student_id, position)
  include (lot_id, entry_id, quantidade, tipo, causa, plano_id, session_id, user_id, em);
