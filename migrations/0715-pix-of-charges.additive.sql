-- The Pix that name a charge are looked up by the charge.
create index charge_claims_of_charge on public.charge_claims (tenant_id, charge_id);

-- Cents to be decided; `aplicado` stays what the notice itself paid.
alter table read.arrived_pix add column falta bigint not null default 0;
