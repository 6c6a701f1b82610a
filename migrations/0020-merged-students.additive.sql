-- The student into whom a removed one was merged, a second record of the same person, and the merging.
alter table read.students add column juntado_em uuid, add column juncao_id uuid;
create index students_merged_into on read.students (tenant_id, juntado_em) where juntado_em is not null;

-- A student and all who were merged into them, also by way of others: under their ids stands what was about them alone, such as
-- their history. In plpgsql the names are looked up at each call: a rebuild puts other tables in their place.
create function same_student(p_student uuid) returns setof uuid
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  return query
    with recursive same (id) as (
      select p_student union select s.id from read.students s join same on s.juntado_em = same.id
    ) select id from same;
end $$;
revoke execute on function same_student from public;
grant execute on function same_student to rende_app;
