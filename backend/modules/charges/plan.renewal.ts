import { Problem } from '../../platform/http/problem.js';
import { existingPlan, type PlanState } from '../plans/plan.js';
import { activeStudent, type StudentState } from '../students/student.js';
import { type CreditEvent, decideGrant, type EntryOrigin } from '../credits/credit-account.js';
import type { Away } from '../away/student-pause.js';

/**
 * The plan that can be renewed. `its`: the student's plan, or null.
 * @throws Problem 409 for a student who is archived or forgotten, 422 without a plan or with one that gives no credits
 */
export function renewablePlan(owner: StudentState, its: PlanState | null) {
  activeStudent(owner);
  if (its === null) throw new Problem('credits.no_plan');
  const known = existingPlan(its);
  if (known.creditos === 0) throw new Problem('credits.plan_without_credits');
  return known;
}

/** Renews a student's plan before it is paid: grants its credits as a new lot, which waits for the payment. */
export function decideRenewal(
  owner: StudentState,
  its: PlanState | null,
  origin: EntryOrigin,
  timezone: string,
  away: readonly Away[] = [],
): CreditEvent[] {
  const { plan_id, creditos, validade_dias } = renewablePlan(owner, its);
  const granted = { id: plan_id, creditos, validade_dias, sem_pagamento: true } as const;
  return decideGrant(origin, granted, timezone, away);
}
