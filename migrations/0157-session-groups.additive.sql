-- Hours that several students share: which sessions are of one group. They may have one time, whatever becomes of them.
create table public.session_groups (
  tenant_id uuid not null,
  session_id uuid not null,
  grupo_id uuid not null,
  primary key (tenant_id, session_id)
);
create index session_groups_by_group on public.session_groups (tenant_id, grupo_id);
select prepare_tenant_table('public.session_groups', 'select, insert, delete');

create index sessions_by_group on read.sessions (tenant_id, grupo_id) where grupo_id is not null;

-- The calendar's month and year count the hours of a group once: from the index on starts alone, so it holds the group, too.
-- Where the table was rebuilt the index has another name.
do $$ begin
  execute (
    select format('drop index %s', indexrelid::regclass) from pg_index
    where indrelid = 'read.sessions'::regclass
      and pg_get_indexdef(indexrelid) like '%(tenant_id, inicio, id) INCLUDE (status) WHERE (NOT deleted)'
  );
end $$;
create index sessions_by_start on read.sessions (tenant_id, inicio, id) include (status, grupo_id) where not deleted;
