import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { existingPlan, plan } from '../plans/plan.js';
import { type BoughtCredits, charge, dueOf, type KnownCharge } from './charge.js';

/** Credits of a plan that were granted before they were paid. */
interface GrantRow {
  lot_id: string;
  plano_id: string;
  quantidade: number;
  charge_id: string | null;
  paga: boolean;
  dispensada: boolean;
}

const grantsOf = defineLookUp<GrantRow, [studentId: string]>(
  `select lot_id, plano_id, quantidade, charge_id, paga, dispensada from plan_grants
   where tenant_id = $1 and student_id = $2 order by em, lot_id`,
);

const openChargesOf = defineLookUp<{ charge_id: string }, [studentId: string, planId: string]>(
  `select charge_id from plan_charges where tenant_id = $1 and student_id = $2 and plano_id = $3 and aberta
   order by charge_id`,
);

export async function loadGrant(
  tx: CommandTransaction,
  studentId: string,
  lotId: string,
): Promise<GrantRow | undefined> {
  return (await tx.lookUp(grantsOf, studentId)).find(({ lot_id }) => lot_id === lotId);
}

/** Grants of the plan that wait for their money, oldest first, as they are shown; some have an open charge. */
export async function unpaidGrants(
  tx: CommandTransaction,
  studentId: string,
  planId: string,
): Promise<GrantRow[]> {
  const grants = await tx.lookUp(grantsOf, studentId);
  return grants.filter(({ plano_id, paga, dispensada }) => plano_id === planId && !paga && !dispensada);
}

/**
 * What a new charge for a plan buys: nothing if credits of the plan were granted without money, since the charge is then for the
 * oldest of these grants.
 */
export async function boughtBy(
  tx: CommandTransaction,
  studentId: string,
  planId: string,
): Promise<BoughtCredits & { grant_id?: string }> {
  const [its, unpaid] = await Promise.all([tx.load(plan, planId), unpaidGrants(tx, studentId, planId)]);
  const { creditos, validade_dias } = existingPlan(its);
  const grant = unpaid.find(({ charge_id }) => charge_id === null);
  return grant ? { creditos: 0, validade_dias: null, grant_id: grant.lot_id } : { creditos, validade_dias };
}

/** The student's open charge for the plan's credits, granted or not: the one that is due first. */
export async function openPlanCharge(
  tx: CommandTransaction,
  studentId: string,
  planId: string,
): Promise<KnownCharge | undefined> {
  const found = await tx.lookUp(openChargesOf, studentId, planId);
  const states = await Promise.all(found.map(({ charge_id }) => tx.load(charge, charge_id)));
  return states
    .filter((state) => state !== undefined)
    .filter((state) => !state.cancelada && dueOf(state) > 0)
    .toSorted((one, other) => (one.vencimento < other.vencimento ? -1 : 1))[0];
}
