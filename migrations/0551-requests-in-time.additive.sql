-- Whether it was asked within the notice: it then costs what it would have cost at once, whenever the trainer answers.
alter table read.session_requests add column no_prazo boolean not null default false;
