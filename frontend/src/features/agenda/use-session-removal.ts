import { isLocal, type Waiting } from '../../lib/outbox.js';
import { putBack, unmake } from '../../lib/pending.js';
import { useNow, useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { toast } from '../../ui/toast.js';
import { useDeleteSession } from './agenda.queries.js';
import { sessionTitle, type ShownSession } from './pending-session.js';
import { sessionMessage } from './session-message.js';
import type { SeriesChange } from './use-series-change.js';

/** Deletes a session, with a toast that offers to tell its student and to undo. `restore` brings it back. */
export function useSessionRemoval(session: ShownSession, restore: () => Promise<boolean>) {
  const { id, inicio } = session;
  const zone = useZone();
  const now = useNow();
  const today = useToday();
  const tell = useTell();
  const removal = useDeleteSession();

  const remove = async (withSeries: SeriesChange): Promise<boolean> => {
    let gone: Waiting[];
    try {
      const outcome = await withSeries(session, 'Excluir', 'delete', {});
      if (outcome !== 'alone') return outcome === 'done';
      // If the booking is still in the outbox, remove it from there.
      gone = isLocal(id) ? await unmake(id) : [];
      if (gone.length === 0) await removal.mutateAsync({ id, title: sessionTitle(session, zone) });
    } catch {
      toast.error('Erro', { description: 'Não foi possível excluir o agendamento.' });
      return false;
    }
    const isExpected = session.status === 'agendada' && Date.parse(inicio) > now;
    toast.success('Agendamento excluído', {
      description: 'O agendamento foi removido com sucesso.',
      tell: isExpected
        ? await tell([session.student_id], (name) =>
            sessionMessage({ ...session, status: 'cancelada' }, name, { today, zone }),
          )
        : [],
      undo: () => (gone.length > 0 ? putBack(gone).then(() => true) : restore()),
      undone: 'Exclusão desfeita',
    });
    return true;
  };

  return { remove, busy: removal.isPending };
}
