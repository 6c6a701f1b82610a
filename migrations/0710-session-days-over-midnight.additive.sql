-- A session over midnight counts on both days, so the index from which the calendar's year is read holds the end, too.
-- Where the table was rebuilt the index has another name.
do $$ begin
  execute (
    select format('drop index %s', indexrelid::regclass) from pg_index
    where indrelid = 'read.sessions'::regclass
      and pg_get_indexdef(indexrelid) like '%(tenant_id, inicio, id) INCLUDE (status, grupo_id) WHERE (NOT deleted)'
  );
end $$;
create index sessions_by_start on read.sessions (tenant_id, inicio, id) include (status, grupo_id, fim) where not deleted;
