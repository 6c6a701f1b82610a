-- The lot of credits that was granted by settling the charge: what its money is for.
alter table read.charges add column lot_id uuid;
