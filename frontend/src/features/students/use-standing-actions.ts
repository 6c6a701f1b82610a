import { messageOf, ProblemError } from '../../lib/problem.js';
import { attempt, toast } from '../../ui/toast.js';
import { useStudentStanding } from './students.queries.js';

interface Person {
  id: string;
  nome: string;
}

/** Archives, restores and removes a student, each with a toast and an undo. */
export function useStandingActions({ id, nome }: Person, onGone?: () => void) {
  const { mutateAsync, isPending } = useStudentStanding();

  const restore = () => attempt(() => mutateAsync({ id, to: 'restore' }), 'Erro ao atualizar aluno');

  const archive = async () => {
    if (!(await attempt(() => mutateAsync({ id, to: 'archive' }), 'Erro ao atualizar aluno'))) return;
    toast.success('Aluno inativado', {
      description: `${nome} saiu da lista de ativos.`,
      undo: restore,
      undone: 'Aluno reativado',
    });
  };

  const remove = async () => {
    try {
      await mutateAsync({ id, to: 'delete' });
      onGone?.();
      toast.success('Aluno excluído', {
        description: 'O aluno foi removido com sucesso.',
        undo: restore,
        undone: 'Exclusão desfeita',
      });
    } catch (error) {
      const inUse = error instanceof ProblemError && error.code === 'students.in_use';
      toast.error('Erro ao excluir', {
        description: inUse ? messageOf(error) : 'Não foi possível excluir o aluno.',
        ...(inUse && { action: { label: 'Inativar', onClick: () => void archive() } }),
      });
    }
  };

  return {
    archive: () => void archive(),
    restore,
    remove: () => void remove(),
    busy: isPending,
  };
}
