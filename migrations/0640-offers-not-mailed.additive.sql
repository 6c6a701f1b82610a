-- Whether the mail of the offer that stands was not sent, so that the trainer is to tell the person.
alter table read.waitlist add oferta_sem_email boolean not null default false;
