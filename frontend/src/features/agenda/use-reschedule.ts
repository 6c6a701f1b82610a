import { formatMoment, formatTime, timeOf } from '../../lib/dates.js';
import { WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { useToday, useZone } from '../../lib/zone.js';
import { useTell } from '../../parts/use-tell.js';
import { toast } from '../../ui/toast.js';
import { useRescheduleSession } from './agenda.queries.js';
import { sessionTitle, type SessionTimes, type ShownSession } from './pending-session.js';
import { movedMessage } from './session-message.js';
import { studentsOf } from './shared-hours.js';
import { useSeriesChange } from './use-series-change.js';

/** Moves sessions, shown at once, with a toast and an undo. Returns false if the user cancels. Throws refusals of the server. */
export function useReschedule() {
  const zone = useZone();
  const { mutateAsync } = useRescheduleSession();
  const withSeries = useSeriesChange();
  const today = useToday();
  const tell = useTell();

  return async (session: ShownSession, to: SessionTimes, shared = false): Promise<boolean> => {
    const body = { ...to, ...(shared && { impedidas: 'mudar' as const }) };
    const outcome = await withSeries(session, 'Remarcar', 'change', body);
    if (outcome !== 'alone') return outcome === 'done';
    const { id, inicio, fim } = session;
    const title = sessionTitle(session, zone);
    const answer = await mutateAsync({ id, title, to, shared });

    /** The old time may meanwhile be taken: the refusal then offers to share it. */
    const undo = async (alsoTaken = false): Promise<boolean> => {
      try {
        const isUnsent = 'queued' in answer && (await withdraw(id));
        if (!isUnsent) await mutateAsync({ id, title, to: { inicio, fim }, shared: alsoTaken, from: to });
        return true;
      } catch (error) {
        const taken = isTimeRefusal(error);
        toast.error('Erro ao desfazer', {
          description: messageOf(error),
          ...(taken && { action: { label: 'Agendar mesmo assim', onClick: () => void undo(true) } }),
        });
        return false;
      }
    };
    const when = `${formatMoment(to.inicio, zone)}–${formatTime(timeOf(to.fim, zone))}`;
    toast.success('Agendamento atualizado com sucesso!', {
      description: 'queued' in answer ? `${when}. ${WILL_BE_SENT}` : when,
      tell: await tell(studentsOf(session), (name) =>
        movedMessage({ inicio, fim }, to, name, { today, zone }),
      ),
      undo,
      undone: 'Remarcação desfeita',
    });
    return true;
  };
}
