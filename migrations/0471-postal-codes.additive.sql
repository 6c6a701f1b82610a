-- Addresses of postal codes as public look-ups told them, kept so that each is asked once in a while. Nobody's data.
create table public.postal_codes (
  cep text primary key check (cep ~ '^[0-9]{8}$'),
  logradouro text not null,
  bairro text not null,
  cidade text not null,
  uf text not null,
  looked_up_at timestamptz not null default now()
);
grant select, insert, update on public.postal_codes to rende_app;
