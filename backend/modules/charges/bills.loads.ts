import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { studentsOf } from '../payers/payers.loads.js';
import { charge, type KnownCharge } from './charge.js';

const everOf = defineLookUp<{ charge_id: string }, [students: readonly string[]]>(
  `select distinct data->>'charge_id' as charge_id from ${storedEvents({ ChargeIssued: [1, 2], ChargeReassigned: [1] })} e
   where tenant_id = $1 and data->>'student_id' = any($2::text[])`,
);

/** The charges of a payer's students by the log, so also those that are not in the read tables yet. */
export async function chargesOfPayer(tx: CommandTransaction, payerId: string): Promise<KnownCharge[]> {
  const students = await studentsOf(tx, payerId);
  if (students.length === 0) return [];
  const ids = await tx.lookUp(everOf, students);
  const states = await Promise.all(ids.map(({ charge_id }) => tx.load(charge, charge_id)));
  return states.filter(
    (state) => state !== undefined && students.includes(state.student_id),
  ) as KnownCharge[];
}
