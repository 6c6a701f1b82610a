-- The address for which a mail to a student or visitor was decided and counted, as a keyed hash: where it changed until the mail
-- is sent, the mail is not sent.
alter table mails add column address_hash bytea;

-- By the clock of the events, so that a reaction finds what the command of its event decided.
alter table mail_ledger add column recorded_at timestamptz not null default clock_timestamp();
