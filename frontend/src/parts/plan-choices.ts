import { useQueryClient } from '@tanstack/react-query';
import { periodOf, type PlanPage } from '../../../backend/modules/plans/plans.api.js';
import { useAnswer } from '../lib/answer.js';

const CHOICES = ['plans', 'choices'];

/** The plans to choose from: one page. */
export function usePlanChoices() {
  return useAnswer(CHOICES, 'GET /plans', { query: { limit: 100 } });
}

/** A plan that is billed by period, with that period; null for a package, and until plans are read. */
export function useBilledPlan() {
  const { data } = usePlanChoices();
  return (id: string | null) => {
    const plan = data?.items.find((one) => one.id === id);
    const period = plan ? periodOf(plan.tipo) : null;
    return plan && period && { valor: plan.valor, creditos: plan.creditos, ...period };
  };
}

/** Names of plans that can be chosen. */
export function usePlanName() {
  const client = useQueryClient();
  return (id: string): string | null =>
    client.getQueryData<PlanPage>(CHOICES)?.items.find((plan) => plan.id === id)?.nome ?? null;
}
