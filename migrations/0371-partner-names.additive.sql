-- Students who have agreed that those who share an hour with them read their first name, under the student's id.
create table read.partner_names (
  tenant_id uuid not null,
  id uuid not null,
  mostra boolean not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.partner_names');
