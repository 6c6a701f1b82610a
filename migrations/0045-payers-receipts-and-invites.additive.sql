-- Of a receipt of several receitas, what each is: transaction_id, student_id, aluno, descricao, valor; empty for one receita.
alter table read.receipts add column partes jsonb not null default '[]';
alter table read.receipts alter partes set statistics 0;

-- The receipt of each receita, and whether it is cancelled because one of its receitas was reversed.
create table read.receipt_entries (
  tenant_id uuid not null,
  id uuid not null,
  receipt_id uuid not null,
  cancelada boolean not null,
  primary key (tenant_id, id)
);
create index receipt_entries_of_receipt on read.receipt_entries (tenant_id, receipt_id);
select prepare_read_table('read.receipt_entries');

create index charge_payments_of_bill on read.charge_payments (tenant_id, bill_id) where bill_id is not null;

-- Whom an invite is for, where that is the student's payer; and whose account it is.
alter table student_invites add column payer_id uuid;
create index student_invites_of_payer on student_invites (tenant_id, payer_id) where payer_id is not null;
alter table read.student_access add column payer_id uuid;
