import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { charge, decideCancel, decideRestore, type SessionTurn } from './charge.js';

/** The charge of a session follows the session: what a session no longer costs is not owed. */

const claimOf = defineLookUp<{ charge_id: string }, [claim: string]>(
  'select charge_id from charge_claims where tenant_id = $1 and claim = $2',
);

/** The charge of a session that is not cancelled; undefined if there is none. */
export async function chargeOfSession(
  tx: CommandTransaction,
  session_id: string,
): Promise<string | undefined> {
  const [claim] = await tx.lookUp(claimOf, `session:${session_id}`);
  return claim?.charge_id;
}

/** Cancels the charge of a session that no longer owes it, unless money was paid for it. Returns the id of what it cancelled. */
export async function cancelChargeOfSession(
  tx: CommandTransaction,
  session_id: string,
  com_sessao: SessionTurn,
): Promise<string | undefined> {
  const id = await chargeOfSession(tx, session_id);
  const state = id === undefined ? undefined : await tx.load(charge, id);
  if (!state || state.pagamentos.length > 0) return undefined;
  tx.append(charge, id!, decideCancel(state, com_sessao));
  return id;
}

/**
 * Brings back the student's charge that was cancelled with what is undone now, unless another one stands. `cancelled`: the charge
 * that this command has cancelled.
 */
export async function restoreChargeOfSession(
  tx: CommandTransaction,
  { session_id, student_id }: { session_id: string; student_id: string },
  cancelled: string | undefined,
): Promise<void> {
  const standing = await chargeOfSession(tx, session_id);
  if (standing !== cancelled) return;
  const [claim] = await tx.lookUp(claimOf, `left:${session_id}`);
  const state = claim && (await tx.load(charge, claim.charge_id));
  if (state?.com_sessao && state.student_id === student_id)
    tx.append(charge, claim!.charge_id, decideRestore(state));
}
