import type { Location } from '../../../../backend/modules/locations/locations.api.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { attempt, toast } from '../../ui/toast.js';
import { useChangeLocation, useRemoveLocation } from './locations.queries.js';

/** Making a location inactive, active again and removing it, each with its toast and its way back. */
export function useLocationActions({ id, nome }: Location) {
  const change = useChangeLocation(id);
  const removal = useRemoveLocation(id);

  const set = (is_active: boolean) =>
    attempt(() => change.mutateAsync({ is_active }), 'Erro ao atualizar local');

  const archive = async () => {
    if (await set(false))
      toast.success('Local inativado', {
        description: `${nome} saiu da lista de ativos.`,
        undo: () => set(true),
        undone: 'Local reativado',
      });
  };

  const restore = async () => {
    if (await set(true))
      toast.success('Local reativado', { undo: () => set(false), undone: 'Local inativado' });
  };

  const remove = async () => {
    try {
      await removal.mutateAsync('delete');
      toast.success('Local removido', {
        undo: () => attempt(() => removal.mutateAsync('restore'), 'Erro ao desfazer'),
        undone: 'Remoção desfeita',
      });
    } catch (error) {
      const inUse = error instanceof ProblemError && error.code === 'locations.in_use';
      toast.error('Erro ao remover local', {
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
