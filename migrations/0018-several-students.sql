-- An account may be several students of one trainer, such as a parent of two children; it is the trainer's own once.
alter table memberships drop constraint memberships_pkey,
  add constraint memberships_person_key unique nulls not distinct (tenant_id, user_id, student_id);

-- Whom a person represents as students: by the name that each trainer gave them.
create function auth.students_of(p_user uuid)
returns table (student_id uuid, nome text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.id, s.nome
  from public.memberships own
  join read.students s on s.tenant_id = own.tenant_id and s.id = own.student_id
  where own.user_id = p_user
$$;
revoke execute on function auth.students_of from public;
grant execute on function auth.students_of to rende_app;
