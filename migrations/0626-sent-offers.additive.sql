-- Whether the trainer has sent the offer that stands by WhatsApp.
alter table read.waitlist add oferta_enviada boolean not null default false;
