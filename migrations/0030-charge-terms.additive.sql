-- What new charges gain after their due date and lose before it, by the tenant's id; rates are hundredths of a percent.
create table read.charge_terms (
  tenant_id uuid not null,
  id uuid not null,
  multa integer not null,
  juros integer not null,
  carencia_dias integer not null,
  -- cents
  desconto_valor bigint not null,
  desconto_percentual integer not null,
  desconto_dias integer not null,
  primary key (tenant_id, id)
);
select prepare_read_table('read.charge_terms');

-- The terms with which a charge was issued.
alter table read.charges add column termos jsonb;
