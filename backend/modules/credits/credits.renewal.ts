import { Problem } from '../../platform/http/problem.js';
import { existingPlan, type PlanState } from '../plans/plan.js';
import { activeStudent, type StudentState } from '../students/student.js';
import { type CreditEvent, decideGrant, type EntryOrigin } from './credit-account.js';

/**
 * Renews a student's plan: grants its credits as a new lot. `its`: the student's plan, or null.
 * @throws Problem 409 for a student who is archived or forgotten, 422 without a plan or with one that gives no credits
 */
export function decideRenewal(
  owner: StudentState,
  its: PlanState | null,
  origin: EntryOrigin,
  timezone: string,
  pausedUntil: string | null = null,
): CreditEvent[] {
  activeStudent(owner);
  if (its === null) throw new Problem('credits.no_plan');
  const { plan_id, creditos, validade_dias } = existingPlan(its);
  return decideGrant(origin, { id: plan_id, creditos, validade_dias }, timezone, pausedUntil);
}
