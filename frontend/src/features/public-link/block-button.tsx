import { ActionIcon } from '@mantine/core';
import { Icon } from '../../ui/icon.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useBlock } from './public-link.queries.js';

/** Blocks the phone of a visitor. */
export function BlockButton({ studentId, who }: { studentId: string; who: string }) {
  const { mutateAsync } = useBlock();
  const set = (bloqueado: boolean) => mutateAsync({ id: studentId, bloqueado });
  const block = () =>
    attempt(async () => {
      await set(true);
      toast.success('Número bloqueado', {
        description: `${who} não agenda mais pelo link.`,
        ...takenBack(() => set(false), 'Número desbloqueado'),
      });
    }, 'Erro ao bloquear');
  return (
    <ActionIcon aria-label={`Bloquear o número de ${who}`} onClick={() => void block()}>
      <Icon name="shield" />
    </ActionIcon>
  );
}
