-- What happened to each student, session, transaction…, as the trainer may read it. An event is in the history of
-- each of its subjects. `data` is the event's, in clear: it is written anew when a person is forgotten.
create table read.history (
  tenant_id uuid not null,
  subject text not null,
  position bigint not null,
  type text not null,
  actor uuid not null,
  -- the signed-in session it came from
  device uuid,
  recorded_at timestamptz not null,
  data jsonb not null,
  primary key (tenant_id, subject, position)
);
select prepare_read_table('read.history');
