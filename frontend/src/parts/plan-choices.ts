import { useQuery, useQueryClient } from '@tanstack/react-query';
import { periodOf, type PlanPage } from '../../../backend/modules/plans/plans.api.js';
import { read } from '../lib/calls.js';

const CHOICES = ['plans', 'choices'];

/** The plans to choose from: one page. */
export function usePlanChoices() {
  return useQuery({
    queryKey: CHOICES,
    queryFn: ({ signal }) => read('GET /plans', { query: { limit: 100 }, signal }),
  });
}

/** Price of a plan that is billed by period; null for others. */
export function useMonthlyPrice() {
  const { data } = usePlanChoices();
  return (id: string | null): number | null => {
    const plan = data?.items.find((one) => one.id === id);
    return plan && plan.tipo !== 'pacote' && plan.valor > 0 ? plan.valor : null;
  };
}

/** The period by which a plan is billed; null for a package, and until plans are read. */
export function usePeriod() {
  const { data } = usePlanChoices();
  return (id: string | null) => {
    const plan = data?.items.find((one) => one.id === id);
    return plan ? periodOf(plan.tipo) : null;
  };
}

/** Names of plans that can be chosen. */
export function usePlanName() {
  const client = useQueryClient();
  return (id: string): string | null =>
    client.getQueryData<PlanPage>(CHOICES)?.items.find((plan) => plan.id === id)?.nome ?? null;
}
