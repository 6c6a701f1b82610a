import { searchable } from '../../platform/searchable.api.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { type ExistingPlan, plan, type PlanEvent, type PlanState } from './plan.js';

type PlanRow = ExistingPlan & { nome: string; busca: string; criado_em: string };

/** Folded state of each plan; removed plans keep their row, so that they can be restored. */
export const plans = rowProjection<PlanRow>({
  name: 'plans',
  version: 2,
  topic: 'plans',
  table: 'plans',
  events: [
    'PlanCreated',
    'PlanUpdated',
    'PlanDeactivated',
    'PlanReactivated',
    'PlanRemoved',
    'PlanRestored',
  ] satisfies PlanEvent['type'][],
  keys: ({ data }) => [data.plan_id as string],
  evolve(row, { type, data, recordedAt }) {
    const before: PlanState = row ?? plan.initialState;
    const after = plan.evolve(before, { type, data } as PlanEvent);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      nome: after.nome ?? 'Plano sem nome',
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? recordedAt.toISOString(),
    };
  },
});
