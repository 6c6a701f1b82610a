-- Which address a mail was asked for, by its fingerprint and whether or not somebody has it, and by which browser. Digits that
-- are typed count against the mail that the same browser asked for.
alter table auth.mail_tokens
  add column asked_for bytea,
  add column device bytea;
create index mail_tokens_asked_for on auth.mail_tokens (asked_for, created_at desc);

-- The mail whose link led to the code: it is used when the code is exchanged, so that opening the link alone uses nothing.
alter table auth.flow_states add column mail_token_id uuid references auth.mail_tokens on delete cascade;
create index flow_states_mail_token on auth.flow_states (mail_token_id) where mail_token_id is not null;
