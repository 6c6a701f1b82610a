import { read } from '../../lib/calls.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { toast } from '../../ui/toast.js';
import { useStandingActions } from './use-standing-actions.js';

/** Makes an inactive student active again, with what that moves. */
export default function RestoreSheet({
  student,
  onClose,
}: {
  student: { id: string; nome: string };
  onClose: () => void;
}) {
  const { restore } = useStandingActions(student);
  return (
    <UndoSheet
      what="Reativar aluno"
      of={student.id}
      price={(signal) => read('GET /students/:id/restore/preview', { of: [student.id], signal })}
      onUndo={async () => {
        if (await restore()) toast.success('Aluno reativado');
      }}
      onClose={onClose}
    />
  );
}
