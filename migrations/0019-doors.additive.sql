-- The bank of the Pix key, if the trainer says it.
alter table read.pix_accounts add column banco text;
alter table read.pix_accounts alter banco set statistics 0;

-- What the trainer's page says of the trainer, if it is to: the registration, and the price of a first class in cents (0: free).
alter table read.public_links add column cref text, add column primeira_aula integer;
alter table read.public_links alter cref set statistics 0;
