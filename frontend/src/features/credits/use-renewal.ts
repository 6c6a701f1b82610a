import { plural } from '../../../../backend/platform/plural.api.js';
import { WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { attempt, toast } from '../../ui/toast.js';
import { useAdjustCredits, useRenewCredits, type Renewal } from './credits.queries.js';

/** Grants the plan's credits in one tap; the undo takes them with an entry of its own. */
export function useRenewal(renewal: Renewal) {
  const { studentId, studentName, planCredits } = renewal;
  const { mutateAsync, isPending } = useRenewCredits(renewal);
  const adjust = useAdjustCredits(studentId);

  const undo = () =>
    attempt(async () => {
      // If the renewal is still in the outbox, remove it from there.
      if (await withdraw(studentId)) return;
      await adjust.mutateAsync({ quantidade: -planCredits, motivo: 'Renovação desfeita' });
    }, 'Erro ao desfazer a renovação');

  const renew = () =>
    void attempt(async () => {
      const answer = await mutateAsync('renew');
      toast.success('Plano renovado', {
        description:
          'queued' in answer
            ? WILL_BE_SENT
            : `${studentName} recebeu ${plural(planCredits, 'crédito', 'créditos')} e agora tem ${answer.saldo}.`,
        undo,
        undone: 'Renovação desfeita',
      });
    }, 'Erro ao renovar');

  return { renew, busy: isPending };
}
