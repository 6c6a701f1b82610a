import type { Plan } from '../../../../backend/modules/plans/plans.api.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRemovePlan } from './plans.queries.js';

/** Removing a plan, with its toast and its way back. */
export function useRemovePlanAction({ id }: Plan) {
  const { mutateAsync, isPending } = useRemovePlan(id);

  const remove = async () => {
    if (!(await attempt(() => mutateAsync('delete'), 'Erro ao remover plano'))) return;
    toast.success('Plano removido', {
      undo: () => attempt(() => mutateAsync('restore'), 'Erro ao desfazer'),
    });
  };

  return { remove: () => void remove(), busy: isPending };
}
