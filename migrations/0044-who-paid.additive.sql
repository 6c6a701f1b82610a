-- The student's payer when the charge was paid, null where the student was; and the payment of several charges that it was part of.
alter table read.charge_payments add column payer_id uuid, add column bill_id uuid;
create index charge_payments_of_payer on read.charge_payments (tenant_id, payer_id) where payer_id is not null;
