import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { type ExistingPlan, plan, type PlanState } from './plan.js';

type PlanRow = ExistingPlan & { nome: string; busca: string; criado_em: string };

/** Folded state of each plan; removed plans keep their row, so that they can be restored. */
export const plans = stateProjection(plan, {
  name: 'plans',
  version: 2,
  topic: 'plans',
  table: 'plans',
  evolve(row: PlanRow | undefined, event) {
    const before: PlanState = row ?? plan.initialState;
    const after = plan.evolve(before, event);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      nome: after.nome ?? 'Plano sem nome',
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});
