-- The agenda: where and when sessions are, when the trainer is free, tasks.

-- Locations; `busca` is the name without accents or case.
create table read.locations (
  tenant_id uuid not null,
  id uuid not null,
  status text not null,
  nome text,
  endereco text,
  cep text,
  is_active boolean not null,
  busca text collate "C" not null,
  criado_em timestamptz not null,
  -- Minutes of the way to other locations, by their ids.
  deslocamentos jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index locations_list on read.locations (tenant_id, status, busca, id);
alter table read.locations
  alter nome set statistics 0, alter endereco set statistics 0, alter cep set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.locations');

-- Addresses of postal codes as public look-ups told them, kept so that each is asked once in a while. Nobody's data.
create table postal_codes (
  cep text primary key check (cep ~ '^[0-9]{8}$'),
  logradouro text not null,
  bairro text not null,
  cidade text not null,
  uf text not null,
  looked_up_at timestamptz not null default now()
);
grant select, insert, update on postal_codes to rende_app;

-- Cancellation policies by location; a location without a row has the default.
create table read.policies (
  tenant_id uuid not null,
  id uuid not null,
  cancel_limite_horas integer not null,
  taxa_percent integer not null,
  queima_credito boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.policies');

-- The time that is taken by each session.
create table session_slot_members (
  tenant_id uuid not null,
  session_id uuid not null,
  during tstzrange not null,
  -- Row security lets no operator into an index that could tell of other tenants' rows, and those of ranges are not known
  -- not to: whoever looked for sessions in the way read all that the tenant ever had. Comparisons of instants may be there.
  inicio timestamptz not null generated always as (lower(during)) stored,
  fim timestamptz not null generated always as (upper(during)) stored,
  primary key (tenant_id, session_id)
);
create index session_slot_members_by_start on session_slot_members (tenant_id, inicio);
select prepare_tenant_table('session_slot_members', 'select, insert, delete');

-- Busy stretches: each is the time of one session, or of several that the trainer let overlap. Ends are exclusive, so
-- that sessions may touch. The constraint has no exception: an allowed overlap widens a stretch instead of adding one.
create table session_slots (
  tenant_id uuid not null,
  during tstzrange not null,
  inicio timestamptz not null generated always as (lower(during)) stored,
  fim timestamptz not null generated always as (upper(during)) stored,
  constraint session_slots_free exclude using gist (tenant_id with =, during with &&)
);
create index session_slots_by_start on session_slots (tenant_id, inicio);
select prepare_tenant_table('session_slots', 'select, insert, delete');

create table read.sessions (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  location_id uuid,
  inicio timestamptz not null,
  fim timestamptz not null,
  status text not null check (status in ('agendada', 'feita', 'cancelada')),
  confirmado boolean not null,
  observacoes text,
  motivo text,
  -- nenhum, usado, or faltou: it should have used a credit and there was none
  credito text not null,
  -- cents
  valor bigint,
  taxa bigint not null,
  -- a deleted session is kept, out of every list, until it is restored
  deleted boolean not null,
  -- The series and the group that a session is a part of.
  serie_id uuid,
  ocorrencia date,
  grupo_id uuid,
  primary key (tenant_id, id)
);
create index sessions_by_student on read.sessions (tenant_id, student_id, inicio, id) where not deleted;
create index sessions_to_charge on read.sessions (tenant_id, inicio, id)
  where not deleted and (credito = 'faltou' or taxa > 0);
create index sessions_by_group on read.sessions (tenant_id, grupo_id) where grupo_id is not null;
-- The calendar's month and year count sessions by day and status, a group once, and one over midnight on both days: from this
-- index alone (2,300 sessions of a year: 22 pages instead of 2,200).
create index sessions_by_start on read.sessions (tenant_id, inicio, id) include (status, grupo_id, fim) where not deleted;
alter table read.sessions alter observacoes set statistics 0;
select prepare_read_table('read.sessions');

-- Tasks and their lists. All texts are the trainer's own; the planner keeps no samples of them.

-- The order of a trainer's tasks, one for all lists: what a command needs to find neighbours, and all tasks of a list.
create table task_places (
  tenant_id uuid not null,
  task_id uuid not null,
  list_id uuid,
  ordem text collate "C" not null,
  concluida boolean not null,
  primary key (tenant_id, task_id)
);
create index task_places_by_order on task_places (tenant_id, ordem);
create index task_places_by_list on task_places (tenant_id, list_id);
select prepare_tenant_table('task_places', 'select, insert, update, delete');

create table read.tasks (
  tenant_id uuid not null,
  id uuid not null,
  titulo text,
  descricao text,
  -- a day and, unless it takes the whole day, a time (hh:mm), both on the trainer's own clock
  data_vencimento date,
  hora text collate "C",
  list_id uuid,
  -- RFC 5545; null: it does not repeat
  rrule text,
  ordem text collate "C" not null,
  -- null: it is open
  concluida_em timestamptz,
  -- the task that its completion made
  proxima uuid,
  -- it is no more as it was created
  mexida boolean not null,
  -- a deleted task is kept, out of every list, until it is restored
  deleted boolean not null,
  -- title and description without accents or case: what searches look into
  busca text collate "C" not null,
  criada_em timestamptz not null,
  primary key (tenant_id, id)
);
create index tasks_by_order on read.tasks (tenant_id, ordem, id) where not deleted;
create index tasks_by_completion on read.tasks (tenant_id, concluida_em desc, id) where not deleted;
create index tasks_by_date on read.tasks (tenant_id, data_vencimento, id) where not deleted;
alter table read.tasks alter titulo set statistics 0, alter descricao set statistics 0, alter busca set statistics 0;
select prepare_read_table('read.tasks');

create table read.task_lists (
  tenant_id uuid not null,
  id uuid not null,
  nome text,
  cor text not null,
  ordem text collate "C" not null,
  deleted boolean not null,
  primary key (tenant_id, id)
);
alter table read.task_lists alter nome set statistics 0;
select prepare_read_table('read.task_lists');

-- A trainer's week and what differs on some dates: one row per tenant. Read whole, so it is kept as documents.
create table read.availability (
  tenant_id uuid not null,
  id uuid not null,
  -- [{day_of_week, start_time, end_time, is_blocked}]
  horarios jsonb not null,
  versao integer not null,
  -- [{data, horarios}]
  excecoes jsonb not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.availability');

-- Vacations, and what each of them did.
create table read.vacations (
  tenant_id uuid not null,
  id uuid not null,
  start_date date not null,
  end_date date not null,
  description text,
  -- active, removed or undone
  status text not null,
  primary key (tenant_id, id)
);
create index vacations_active on read.vacations (tenant_id, start_date, id) where status = 'active';
alter table read.vacations alter description set statistics 0;
select prepare_read_table('read.vacations');

create table read.vacation_effects (
  tenant_id uuid not null,
  id uuid not null,
  -- ids of sessions
  canceladas jsonb not null,
  -- [{session_id, inicio, fim, inicio_antes, fim_antes}]
  movidas jsonb not null,
  -- [{student_id, lotes}]
  creditos jsonb not null,
  dias integer not null,
  -- when the first of all that has passed; null where there is none
  desfazer_ate timestamptz,
  primary key (tenant_id, id)
);
select prepare_read_table('read.vacation_effects');

-- The trainer's own holidays, and which of all holidays are switched on or off against their default.
create table read.holidays (
  tenant_id uuid not null,
  id uuid not null,
  -- [{id, nome, data, anual, removido}]
  proprios jsonb not null,
  -- {name or id: boolean}
  ligados jsonb not null,
  primary key (tenant_id, id)
);
alter table read.holidays alter proprios set statistics 0;
select prepare_read_table('read.holidays');

-- Series of sessions: their rules, and the dates that were left out. Their sessions stand in read.sessions.
create table read.series (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  -- days of the week, 0 is Sunday
  dias jsonb not null,
  intervalo integer not null,
  inicio date not null,
  -- last date of the pattern; null without an end
  ate date,
  -- [{desde, deslocamento, hora, duracao, location_id, rrule}]
  trechos jsonb not null,
  preenchida_ate date not null,
  -- [{data, motivo}]
  puladas jsonb not null,
  removida boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.series');

-- Series without an end of active students that are not filled up to a day: ids alone, for the worker that fills them.
-- In plpgsql the names are looked up at each call: a rebuild puts other tables in their place.
create function series_to_fill(p_until date) returns table (tenant_id uuid, series_id uuid, timezone text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select s.tenant_id, s.id, t.timezone
    from read.series s
    join read.students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    join public.tenants t on t.tenant_id = s.tenant_id
    where s.ate is null and not s.removida and s.preenchida_ate < p_until and st.status = 'active'
      and not exists (select from public.closed_tenants c where c.tenant_id = s.tenant_id)
    order by 1, 2;
end $$;
revoke execute on function series_to_fill from public;
grant execute on function series_to_fill to rende_app;

-- Hours that several students share: which sessions are of one group. They may have one time, whatever becomes of them.
create table session_groups (
  tenant_id uuid not null,
  session_id uuid not null,
  grupo_id uuid not null,
  primary key (tenant_id, session_id)
);
create index session_groups_by_group on session_groups (tenant_id, grupo_id);
select prepare_tenant_table('session_groups', 'select, insert, delete');

-- How often each session has changed, when it did last, and when it got the time that it has.
create table read.session_revisions (
  tenant_id uuid not null,
  id uuid not null,
  revisao integer not null,
  alterada_em timestamptz not null,
  marcada_em timestamptz not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.session_revisions');

-- What students ask about their sessions: the last request about each one, under the session's id.
create table read.session_requests (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  -- when the session began as it was asked about: of one that was moved since this is no request
  inicio timestamptz not null,
  -- 'desmarcar', 'remarcar'
  pedido text not null,
  novo_inicio timestamptz,
  novo_fim timestamptz,
  motivo text,
  -- 'aberto', 'retirado', 'aceito', 'recusado'
  situacao text not null,
  -- what the trainer wrote when refusing
  mensagem text,
  pedido_em timestamptz not null,
  -- Whether it was asked within the notice: it then costs what it would have cost at once, whenever the trainer answers.
  no_prazo boolean not null default false,
  primary key (tenant_id, id)
);
create index session_requests_open on read.session_requests (tenant_id, inicio, id) where situacao = 'aberto';
alter table read.session_requests alter motivo set statistics 0, alter mensagem set statistics 0;
select prepare_read_table('read.session_requests');

-- How students with an account may book; no row while nothing was saved.
create table read.student_booking (
  tenant_id uuid not null,
  id uuid not null,
  ativo boolean not null,
  dias integer not null,
  duracao_min integer not null,
  intervalo_min integer not null,
  antecedencia_min integer not null,
  abertas integer not null,
  exige_credito boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.student_booking');
