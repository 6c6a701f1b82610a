import { caughtUp } from '../proof/read-tables.js';
import type { TestDatabase } from '../support/database.js';

/** Lots of the test file's trainers whose balance in the guard is not the one of the ledger. */
export async function lotsThatDiffer(database: TestDatabase) {
  await caughtUp(database);
  return database.query(
    `select lot_id, remaining, restante from credit_lots full join read.credit_lot_balances using (tenant_id, lot_id)
     where remaining is distinct from restante and tenant_id <> all($1)`,
    [database.others ?? []],
  );
}
