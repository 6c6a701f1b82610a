import { useAnswer } from '../../lib/answer.js';
import { useSendTo } from '../../lib/command.js';
import { copyText } from '../../lib/clipboard.js';
import { toast } from '../../ui/toast.js';

export function useStudentAccess(studentId: string) {
  return useAnswer(['access', studentId], 'GET /students/:id/access', { of: [studentId] });
}

/** Creates an invite for a student. If that is refused, shows the error and returns null. */
export function useInviteLink() {
  const { mutateAsync, isPending } = useSendTo('POST /students/:id/invites');

  const invite = async (studentId: string): Promise<string | null> => {
    try {
      return (await mutateAsync(studentId)).inviteUrl;
    } catch {
      toast.error('Erro', { description: 'Não foi possível gerar o link de convite.' });
      return null;
    }
  };

  /** Creates an invite and copies its link. */
  const inviteAndCopy = async ({ id, nome }: { id: string; nome: string }) => {
    const url = await invite(id);
    if (url === null) return;
    if (await copyText(url)) toast.success('Link copiado!', { description: `Envie o convite para ${nome}.` });
    else toast.success('Link criado!', { description: 'O link está em Editar, Acesso do aluno.' });
  };

  return { invite, inviteAndCopy, busy: isPending };
}
