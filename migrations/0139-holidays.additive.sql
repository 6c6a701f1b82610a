-- The trainer's own holidays, and which of all holidays are switched on or off against their default.
create table read.holidays (
  tenant_id uuid not null,
  id uuid not null,
  -- [{id, nome, data, anual, removido}]
  proprios jsonb not null,
  -- {name or id: boolean}
  ligados jsonb not null,
  primary key (tenant_id, id)
);
alter table read.holidays alter column proprios set statistics 0;
select prepare_read_table('read.holidays');
