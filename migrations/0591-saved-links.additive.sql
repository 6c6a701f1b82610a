-- Whether the trainer has saved the link's settings: a row may stand for a changed address or a blocked phone alone.
alter table read.public_links add salvo boolean not null default true;
