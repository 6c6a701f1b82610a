import { attempt, toast } from '../../ui/toast.js';
import { useAdjustCredits, useRenewCredits } from './credits.queries.js';

export interface Renewal {
  studentId: string;
  studentName: string;
  /** Credits of the plan: what one tap grants. */
  planCredits: number;
}

/** Granting the plan's credits in one tap; "Desfazer" takes them back with an entry of its own. */
export function useRenewal({ studentId, studentName, planCredits }: Renewal) {
  const { mutateAsync, isPending } = useRenewCredits(studentId);
  const adjust = useAdjustCredits(studentId);

  const undo = () =>
    void attempt(
      () => adjust.mutateAsync({ quantidade: -planCredits, motivo: 'Renovação desfeita' }),
      'Erro ao desfazer a renovação',
    );

  const renew = () =>
    void attempt(async () => {
      const { saldo } = await mutateAsync('renew');
      toast.success('Plano renovado', {
        description: `${studentName} recebeu ${planCredits} créditos e agora tem ${saldo}.`,
        undo,
      });
    }, 'Erro ao renovar');

  return { renew, busy: isPending };
}
