-- What the public page asks of a visitor who books: 'nada', 'sinal' (so many cents) or 'tudo', for how many minutes the
-- time is held, and the share of the price that not coming costs.
alter table read.public_links add column antecipado text not null default 'nada', add column sinal integer,
  add column espera_min integer not null default 30, add column falta_percent integer not null default 0;

-- What was agreed when a session was booked on the public page with a price.
alter table read.sessions add column porta jsonb;

-- Of the charge of such a session: what is asked first, and what is to be given back to who paid. Cents.
alter table read.charges add column entrada bigint, add column devolver bigint not null default 0;
create index charges_to_return on read.charges (tenant_id, id) where devolver > 0;
