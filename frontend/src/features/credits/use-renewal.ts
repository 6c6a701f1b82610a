import { plural } from '../../../../backend/platform/plural.api.js';
import { WILL_BE_SENT, withdraw } from '../../lib/pending.js';
import { attempt, toast } from '../../ui/toast.js';
import { useRenewCredits, useUndoRenewal, type Renewal } from './credits.queries.js';

/** Grants the plan's credits before they are paid. `esperando`: how many of its renewals without payment were shown, if known. */
export function useRenewal(renewal: Renewal, esperando: number | undefined) {
  const { studentId, studentName, plan } = renewal;
  const { mutateAsync, isPending } = useRenewCredits(renewal);
  const takeBack = useUndoRenewal(studentId);

  const undo = (lotId: string | null) =>
    attempt(async () => {
      // If the renewal is still in the outbox, remove it from there.
      if (await withdraw(studentId)) return;
      if (lotId === null) throw new Error('Ela já foi enviada. Desfaça na página do aluno, em Créditos.');
      await takeBack.mutateAsync(lotId);
    }, 'Erro ao desfazer a renovação');

  const renew = () =>
    void attempt(async () => {
      const answer = await mutateAsync(esperando === undefined ? undefined : { esperando });
      toast.success('Plano renovado', {
        description:
          'queued' in answer
            ? WILL_BE_SENT
            : `${studentName} recebeu ${plural(plan.creditos, 'crédito', 'créditos')} e agora tem ${answer.saldo}. ${answer.charge_id === null ? 'Ainda sem pagamento.' : 'A cobrança em aberto é desta renovação.'}`,
        undo: () => undo('queued' in answer ? null : answer.lot_id),
        undone: 'Renovação desfeita',
      });
    }, 'Erro ao renovar');

  return { renew, busy: isPending };
}
