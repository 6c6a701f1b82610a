-- Whose credits a student uses once their own are used up, under the student's id.
create table read.credit_sharing (
  tenant_id uuid not null,
  id uuid not null,
  -- null: only their own
  dono_id uuid,
  -- all whose credits they have ever used
  contas uuid[] not null,
  primary key (tenant_id, id)
);
create index credit_sharing_of_owner on read.credit_sharing (tenant_id, dono_id);
select prepare_read_table('read.credit_sharing');
