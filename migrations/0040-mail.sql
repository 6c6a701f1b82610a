-- Mails that are to be sent. A row holds ids only: who gets the mail and what it says is looked up when it is sent.
create table mails (
  id uuid primary key,
  -- Null where no tenant has to do with it, as with accounts.
  tenant_id uuid,
  kind text not null,
  -- Whom it concerns: a user or a student.
  person_id uuid,
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- While a worker sends it nobody else does.
  claimed_until timestamptz,
  attempts integer not null default 0,
  done_at timestamptz,
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'given up')),
  check ((done_at is null) = (outcome is null))
) with (fillfactor = 50);
create index mails_due on mails (next_attempt_at) where done_at is null;
create index mails_done on mails (done_at) where done_at is not null;
create index mails_of_person on mails (person_id);

alter table mails enable row level security;
alter table mails force row level security;
create policy owner on mails to rende_owner using (true) with check (true);
create policy projector on mails to rende_projector using (true) with check (true);
create policy written on mails for insert to rende_app
  with check (tenant_id is null or tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
create policy tenant on mails for select to rende_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
-- Accounts have no tenant: the application sees the mails of one person at a time.
create policy person on mails for select to rende_app
  using (tenant_id is null and person_id = nullif(current_setting('app.person', true), '')::uuid);
create policy forgotten on mails for delete to rende_app
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid
    or tenant_id is null and person_id = nullif(current_setting('app.person', true), '')::uuid);
grant select, insert, delete on mails to rende_app;
grant select, update, delete on mails to rende_projector;
