-- The agenda: the time that is taken, and sessions as they are read.

create table session_slot_members (
  tenant_id uuid not null,
  session_id uuid not null,
  during tstzrange not null,
  primary key (tenant_id, session_id)
);
create index session_slot_members_during on session_slot_members using gist (tenant_id, during);
select prepare_tenant_table('session_slot_members', 'select, insert, delete');

-- Busy stretches: each is the time of one session, or of several that the trainer let overlap. Ends are exclusive, so
-- that sessions may touch. The constraint has no exception: an allowed overlap widens a stretch instead of adding one.
create table session_slots (
  tenant_id uuid not null,
  during tstzrange not null,
  constraint session_slots_free exclude using gist (tenant_id with =, during with &&)
);
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
  primary key (tenant_id, id)
);
create index sessions_by_start on read.sessions (tenant_id, inicio, id) where not deleted;
create index sessions_by_student on read.sessions (tenant_id, student_id, inicio, id) where not deleted;
create index sessions_to_charge on read.sessions (tenant_id, inicio, id)
  where not deleted and (credito = 'faltou' or taxa > 0);
select prepare_read_table('read.sessions');
