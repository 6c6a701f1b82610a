-- A student has a dozen lots after a year and one with something left: only those are looked at for a balance. The index
-- in its place is the only one beside the key; where the table was rebuilt it has another name.
do $$ begin
  execute (
    select format('drop index %s', indexrelid::regclass) from pg_index
    where indrelid = 'read.credit_lot_balances'::regclass and not indisprimary
  );
end $$;
create index credit_lot_balances_usable on read.credit_lot_balances (tenant_id, student_id) where restante > 0;
