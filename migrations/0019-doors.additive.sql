-- The bank of the Pix key, if the trainer says it.
alter table read.pix_accounts add column banco text;
alter table read.pix_accounts alter banco set statistics 0;
