import { useQuery } from '@tanstack/react-query';
import type { NewPlan, PlanChanges, PlanPage } from '../../../../backend/modules/plans/plans.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';

const topics = ['plans'];

export function usePlans(active: boolean) {
  const situacao = active ? 'ativos' : 'inativos';
  return usePaged(['plans', 'list', { situacao }], (cursor, signal) =>
    http.get<PlanPage>('/plans', { cursor, situacao }, signal),
  );
}

/** The plans to choose from: as many as one page holds. */
export function usePlanChoices() {
  return useQuery({
    queryKey: ['plans', 'choices'],
    queryFn: ({ signal }) => http.get<PlanPage>('/plans', { limit: 100 }, signal),
  });
}

export function useCreatePlan() {
  return useCommand({ send: (body: NewPlan, key) => http.post<{ id: string }>('/plans', key, body), topics });
}

export function useChangePlan(id: string) {
  return useCommand({
    send: (body: PlanChanges, key) => http.patch<{ id: string }>(`/plans/${id}`, key, body),
    topics,
  });
}

/** Removes a plan, or brings back a removed one. */
export function useRemovePlan(id: string) {
  return useCommand({
    send: (to: 'delete' | 'restore', key) =>
      to === 'delete'
        ? http.delete<{ id: string }>(`/plans/${id}`, key)
        : http.post<{ id: string }>(`/plans/${id}/restore`, key),
    topics,
  });
}
