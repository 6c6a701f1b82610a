-- What a student has paid: by the student, for the student's own list.
create index charge_payments_of_student on read.charge_payments (tenant_id, student_id);
create index transactions_of_student on read.transactions (tenant_id, student_id) where student_id is not null;
