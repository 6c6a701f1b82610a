-- In what the business counts its money (ISO 4217).
alter table tenants add column currency text not null default 'BRL' check (currency ~ '^[A-Z]{3}$');
