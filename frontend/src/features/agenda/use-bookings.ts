import type { NewSession } from '../../../../backend/modules/agenda/agenda.api.js';
import type { NewGroup } from '../../../../backend/modules/agenda/groups.api.js';
import { formatMoment } from '../../lib/dates.js';
import { unmake, WILL_BE_SENT } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { attempt, toast } from '../../ui/toast.js';
import { useBookSession, useDeleteSession } from './agenda.queries.js';
import { useBookGroup, useUndoBookings } from './groups.queries.js';
import { sessionTitle } from './pending-session.js';

/** Loaded names by id. */
export interface Names {
  student: (id: string) => string | null;
  location: (id: string) => string | null;
}

/** Books for one student or a group, with a toast and an undo. Throws refusals of the server. */
export function useBookings(names: Names) {
  const zone = useZone();
  const book = useBookSession();
  const removal = useDeleteSession();
  const group = useBookGroup();
  const undoing = useUndoBookings();

  const said = (description: string, undo: () => Promise<unknown>) =>
    toast.success('Agendamento criado com sucesso!', {
      description,
      undo: () => attempt(undo, 'Erro ao desfazer'),
      undone: 'Agendamento desfeito',
    });

  return {
    bookOne: async (body: NewSession): Promise<void> => {
      const { inicio } = body;
      const student_nome = names.student(body.student_id);
      const location_nome = body.location_id ? names.location(body.location_id) : null;
      const { id, queued } = await book.mutateAsync({ body, student_nome, location_nome });
      said(queued ? WILL_BE_SENT : formatMoment(inicio, zone), async () => {
        if (queued && (await unmake(id)).length > 0) return;
        await removal.mutateAsync({ id, title: sessionTitle({ student_nome, inicio }, zone) });
      });
    },
    bookGroup: async (body: NewGroup): Promise<void> => {
      const { session_ids } = await group.mutateAsync(body);
      said(formatMoment(body.inicio, zone), () => undoing.mutateAsync(session_ids));
    },
  };
}
