-- Cents that were given back; only of the reversing entry of a refund.
alter table read.charge_payments add column devolvido bigint;
