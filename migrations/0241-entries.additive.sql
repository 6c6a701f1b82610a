-- Whose an entry is, what an expense is for, why an entry was reversed, and which entry took its place.
alter table read.transactions
  add column student_id uuid,
  add column categoria text,
  add column motivo text,
  add column corrige_id uuid,
  add column corrigida_por uuid;
alter table read.transactions alter motivo set statistics 0;
