-- The session that asked for a copy, with a proof: no other is shown it or sent it. Null for one asked for before.
alter table auth.account_exports add session_id uuid;
