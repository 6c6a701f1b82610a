import type { Plan } from '../../../../backend/modules/plans/plans.api.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { attempt, toast } from '../../ui/toast.js';
import { useChangePlan, useRemovePlan } from './plans.queries.js';

/** Making a plan inactive, active again and removing it, each with its toast and its way back. */
export function usePlanActions({ id, nome }: Plan) {
  const change = useChangePlan(id);
  const removal = useRemovePlan(id);

  const set = (is_active: boolean) =>
    attempt(() => change.mutateAsync({ is_active }), 'Erro ao atualizar plano');

  const archive = async () => {
    if (await set(false))
      toast.success('Plano inativado', {
        description: `${nome} saiu da lista de ativos.`,
        undo: () => set(true),
        undone: 'Plano reativado',
      });
  };

  const restore = async () => {
    if (await set(true))
      toast.success('Plano reativado', { undo: () => set(false), undone: 'Plano inativado' });
  };

  const remove = async () => {
    try {
      await removal.mutateAsync('delete');
      toast.success('Plano removido', {
        undo: () => attempt(() => removal.mutateAsync('restore'), 'Erro ao desfazer'),
        undone: 'Remoção desfeita',
      });
    } catch (error) {
      const inUse = error instanceof ProblemError && error.code === 'plans.in_use';
      toast.error('Erro ao remover plano', {
        description: messageOf(error),
        ...(inUse && { action: { label: 'Inativar', onClick: () => void archive() } }),
      });
    }
  };

  return {
    archive: () => void archive(),
    restore: () => void restore(),
    remove: () => void remove(),
    busy: change.isPending || removal.isPending,
  };
}
