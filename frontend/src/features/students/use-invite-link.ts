import { copyText } from '../../lib/clipboard.js';
import { toast } from '../../ui/toast.js';
import { useInvite } from './invites.queries.js';

/** Makes a link for a student. Where that is refused, says so and answers null. */
export function useInviteLink() {
  const { mutateAsync, isPending } = useInvite();

  const invite = async (studentId: string): Promise<string | null> => {
    try {
      return (await mutateAsync(studentId)).inviteUrl;
    } catch {
      toast.error('Erro', { description: 'Não foi possível gerar o link de convite.' });
      return null;
    }
  };

  /** Makes it and puts it where it can be pasted from. */
  const inviteAndCopy = async ({ id, nome }: { id: string; nome: string }) => {
    const url = await invite(id);
    if (url === null) return;
    if (await copyText(url)) toast.success('Link copiado!', { description: `Envie o convite para ${nome}.` });
    else toast.success('Link criado!', { description: 'O link está na ficha do aluno.' });
  };

  return { invite, inviteAndCopy, busy: isPending };
}
