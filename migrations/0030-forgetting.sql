-- Forgetting a person destroys the key under which the log speaks of them. That is the only change a key ever knows.
grant update (wrapped_key, forgotten_at) on person_keys to rende_app;

create function refuse_key_change() returns trigger language plpgsql as $$
begin
  if old.wrapped_key is null or new.wrapped_key is not null
    or (new.tenant_id, new.person_id, new.created_at) is distinct from (old.tenant_id, old.person_id, old.created_at) then
    raise exception 'the key of a person is only ever destroyed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keys_are_only_destroyed before update on person_keys for each row execute function refuse_key_change();

-- The planner's statistics keep samples of a column's values, of forgotten persons too, until the next analysis: of
-- columns that hold what is said about a student there are none. A rebuild takes that over to the new table.
alter table read.students
  alter nome set statistics 0, alter telefone set statistics 0, alter whatsapp set statistics 0,
  alter email set statistics 0, alter observacoes set statistics 0, alter busca set statistics 0;
alter table read.sessions alter observacoes set statistics 0;
alter table read.credit_notes alter motivo set statistics 0;
alter table read.history alter data set statistics 0;
