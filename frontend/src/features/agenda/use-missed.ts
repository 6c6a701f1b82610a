import { costInWords } from '../../../../backend/modules/agenda/cancellation.api.js';
import { formatMoney } from '../../lib/money.js';
import { WILL_BE_SENT } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { attempt, toast } from '../../ui/toast.js';
import { useCancelSession, useCancellationPreview } from './agenda.queries.js';
import { sessionTitle, type ShownSession } from './pending-session.js';
import { useSessionActions } from './use-session-actions.js';

/** What a no-show of a session that has begun costs, in words, and what marks it with that cost. Undefined until the cost is known. */
export function useMissed(session: ShownSession) {
  const zone = useZone();
  const { data } = useCancellationPreview(session.id, 'falta');
  const cancellation = useCancelSession();
  const { uncancel } = useSessionActions(session);
  if (!data?.permitido) return undefined;
  const { previsto, tem_custo } = data;
  const mark = () =>
    attempt(async () => {
      const body = { motivo: 'falta' as const, previsto, ...(tem_custo && { aplicar_politica: true }) };
      const outcome = await cancellation.mutateAsync({
        ...{ id: session.id, title: sessionTitle(session, zone), body },
      });
      toast.success('Falta marcada', {
        description:
          'queued' in outcome
            ? WILL_BE_SENT
            : `${session.student_nome ?? 'Aluno apagado'}: ${costInWords(outcome, false, 'done', formatMoney)}.`,
        undo: uncancel,
        undone: 'Falta desfeita',
      });
    }, 'Erro ao marcar a falta');
  return { cost: costInWords(previsto, false, 'announced', formatMoney), mark, busy: cancellation.isPending };
}
