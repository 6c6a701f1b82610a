-- What happened that somebody is to know: made by a reaction, kept for 90 days. It holds ids, times and amounts; who is meant by
-- them is looked up when it is read.
create table notifications (
  tenant_id uuid not null,
  id uuid not null,
  -- For whom: the trainer, or the student.
  para text not null check (para in ('personal', 'aluno')),
  -- Whom it is about, who is its reader where it is for the student.
  student_id uuid not null,
  tipo text not null,
  -- Of the session, the charge, the contract or the warning.
  subject_id uuid not null,
  -- How many of these one command made.
  quantidade integer not null default 1,
  inicio timestamptz,
  antes timestamptz,
  valor integer,
  dia date,
  -- Of the last event that it tells of.
  position bigint not null,
  em timestamptz not null,
  lida_em timestamptz,
  primary key (tenant_id, id)
);
create index notifications_of_trainer on notifications (tenant_id, em desc, id desc) where para = 'personal';
create index notifications_of_student on notifications (tenant_id, student_id, em desc, id desc) where para = 'aluno';
create index notifications_age on notifications (em);
select prepare_tenant_table('public.notifications', 'select', 'select, insert, update, delete');
grant update (lida_em) on notifications to rende_app;

-- Who reads it: the reaction makes none for a student without an account.
grant select on memberships to rende_projector;
