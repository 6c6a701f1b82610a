import type { ButtonProps } from '@mantine/core';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { useUndoImport } from './student-imports.queries.js';

interface UndoImportProps extends ButtonProps {
  id: string;
  onUndone?: () => void;
}

/** Undoes an import, except students who are in use. */
export function UndoImport({ id, onUndone, ...props }: UndoImportProps) {
  const undo = useUndoImport();
  const undoAll = () =>
    attempt(async () => {
      const kept = await undo(id);
      toast.success('Importação desfeita', {
        ...(kept > 0 && {
          description: `${plural(kept, 'aluno já em uso foi mantido', 'alunos já em uso foram mantidos')}.`,
        }),
      });
      onUndone?.();
    }, 'Erro ao desfazer a importação');
  return (
    <UndoButton
      variant="subtle"
      color="red"
      what="Desfazer importação"
      of={id}
      price={(signal) => read('GET /student-imports/:id/undo/preview', { of: [id], signal })}
      onUndo={undoAll}
      {...props}
    />
  );
}
