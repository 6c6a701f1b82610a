-- What students' own accounts say of name and WhatsApp, under the student's id, and whether the trainer is still to answer.
create table read.told_contacts (
  tenant_id uuid not null,
  id uuid not null,
  -- null where the register says the same, and once the student is forgotten
  whatsapp text,
  whatsapp_aberto boolean not null,
  nome text,
  nome_aberto boolean not null,
  primary key (tenant_id, id)
);
alter table read.told_contacts alter whatsapp set statistics 0, alter nome set statistics 0;
select prepare_read_table('read.told_contacts');

-- What students have changed in their accounts and their trainers are still to be told, which the worker does.
create table auth.contact_changes (
  user_id uuid primary key references auth.users on delete cascade,
  -- the former name; null where it is the same
  nome_antes text,
  telefone boolean not null,
  at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on auth.contact_changes to rende_app;
