-- Keys of access tokens take turns: the newest active one signs, the one before it stays until its last token is over.
alter table auth.signing_keys add active_from timestamptz not null default now();
update auth.signing_keys set active_from = created_at;
grant select, delete on auth.signing_keys to rende_projector;
