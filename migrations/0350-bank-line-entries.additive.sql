-- What the lines of bank statements stand for: the entries that they were recorded as, or that they paid charges by.
create table public.bank_line_entries (
  tenant_id uuid not null,
  transaction_id uuid not null,
  line_id uuid not null,
  data date not null,
  -- Cents; negative where money went out.
  valor bigint not null,
  -- Whether it pays a charge, which takes it back by an event of its own.
  cobranca boolean not null,
  primary key (tenant_id, transaction_id)
);
create index bank_line_entries_line on public.bank_line_entries (tenant_id, line_id);
create index bank_line_entries_day on public.bank_line_entries (tenant_id, data, valor);
select prepare_tenant_table('public.bank_line_entries', 'select, insert, delete');
