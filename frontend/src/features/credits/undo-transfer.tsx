import { read } from '../../lib/calls.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useUndoTransfer } from './credits.queries.js';

/** Undoes a transfer, with what that moves. */
export default function UndoTransfer({ id }: { id: string }) {
  const undo = useUndoTransfer();
  const takeBack = () =>
    attempt(async () => {
      await undo.mutateAsync(id);
      toast.success('Transferência desfeita');
    }, 'Erro ao desfazer a transferência');
  return (
    <UndoButton
      size="sm"
      variant="subtle"
      p={0}
      fz={13}
      display="block"
      leftSection={null}
      what="Desfazer transferência"
      of={id}
      price={(signal) => read('GET /credits/transfers/:id/undo/preview', { of: [id], signal })}
      onUndo={takeBack}
    />
  );
}
