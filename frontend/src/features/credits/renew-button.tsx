import { Button } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import { attempt, toast } from '../../ui/toast.js';
import { useAdjustCredits, useRenewCredits } from './credits.queries.js';

interface RenewButtonProps {
  studentId: string;
  studentName: string;
  /** Credits of the plan: what one tap grants. */
  planCredits: number;
  variant?: 'light' | 'filled';
}

/** Grants the plan's credits in one tap; "Desfazer" takes them back with an entry of its own. */
export function RenewButton({ studentId, studentName, planCredits, variant = 'light' }: RenewButtonProps) {
  const renew = useRenewCredits(studentId);
  const adjust = useAdjustCredits(studentId);

  const undo = () =>
    void attempt(
      () => adjust.mutateAsync({ quantidade: -planCredits, motivo: 'Renovação desfeita' }),
      'Erro ao desfazer a renovação',
    );

  const send = () =>
    attempt(async () => {
      const { saldo } = await renew.mutateAsync('renew');
      toast.success('Plano renovado', {
        description: `${studentName} recebeu ${planCredits} créditos e agora tem ${saldo}.`,
        undo,
      });
    }, 'Erro ao renovar');

  return (
    <Button
      size="sm"
      variant={variant}
      loading={renew.isPending}
      onClick={() => void send()}
      leftSection={<Icon name="renew" size={18} />}
    >
      Renovar
    </Button>
  );
}
