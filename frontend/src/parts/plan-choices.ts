import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PlanPage } from '../../../backend/modules/plans/plans.api.js';
import { read } from '../lib/calls.js';

const CHOICES = ['plans', 'choices'];

/** The plans to choose from: one page. */
export function usePlanChoices() {
  return useQuery({
    queryKey: CHOICES,
    queryFn: ({ signal }) => read('GET /plans', { query: { limit: 100 }, signal }),
  });
}

/** Price of a plan that is billed each month; null for others. */
export function useMonthlyPrice() {
  const { data } = usePlanChoices();
  return (id: string | null): number | null => {
    const plan = data?.items.find((one) => one.id === id);
    return plan?.tipo === 'mensal' && plan.valor > 0 ? plan.valor : null;
  };
}

/** Names of plans that can be chosen. */
export function usePlanName() {
  const client = useQueryClient();
  return (id: string): string | null =>
    client.getQueryData<PlanPage>(CHOICES)?.items.find((plan) => plan.id === id)?.nome ?? null;
}
