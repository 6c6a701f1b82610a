import type { Location } from '../../../../backend/modules/locations/locations.api.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRemoveLocation } from './locations.queries.js';

/** Removing a location, with its toast and its way back. */
export function useRemoveLocationAction({ id }: Location) {
  const { mutateAsync, isPending } = useRemoveLocation(id);

  const remove = async () => {
    if (!(await attempt(() => mutateAsync('delete'), 'Erro ao remover local'))) return;
    toast.success('Local removido', {
      undo: () => attempt(() => mutateAsync('restore'), 'Erro ao desfazer'),
    });
  };

  return { remove: () => void remove(), busy: isPending };
}
