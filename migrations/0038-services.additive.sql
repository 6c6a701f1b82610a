-- What a trainer offers; `busca` is the name without accents or case.
create table read.services (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text not null,
  duracao_min integer not null,
  -- Cents of a single one; null: what a credit of the student's plan is worth.
  valor bigint,
  usa_credito boolean not null,
  cor text not null,
  -- ids of locations; null: at all
  locais jsonb,
  -- The address of an online meeting.
  endereco text,
  na_pagina boolean not null,
  para_alunos boolean not null,
  is_active boolean not null,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  primary key (tenant_id, id)
);
create index services_list on read.services (tenant_id, status, busca, id);
alter table read.services
  alter nome set statistics 0, alter endereco set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.services');

-- What a session agreed with its service when it was booked: {service_id, valor, usa_credito}.
alter table read.sessions add column servico jsonb;

-- What somebody waits for; null: the class that is booked without a service.
alter table read.waitlist add column service_id uuid;
