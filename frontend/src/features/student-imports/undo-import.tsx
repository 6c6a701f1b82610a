import { Button, type ButtonProps } from '@mantine/core';
import { plural } from '../../../../backend/platform/plural.api.js';
import { Icon } from '../../ui/icon.js';
import { attempt, toast } from '../../ui/toast.js';
import { useUndoImport } from './student-imports.queries.js';

interface UndoImportProps extends ButtonProps {
  id: string;
  onUndone?: () => void;
}

/** Undoes an import, except students who are in use. */
export function UndoImport({ id, onUndone, ...props }: UndoImportProps) {
  const { undo, busy } = useUndoImport();
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
    <Button
      variant="subtle"
      color="red"
      loading={busy}
      onClick={() => void undoAll()}
      leftSection={<Icon name="undo" size={18} />}
      {...props}
    >
      Desfazer importação
    </Button>
  );
}
