import { useNavigate } from 'react-router-dom';
import { useSend } from '../../lib/command.js';
import { preferPlace } from '../../lib/tenant.js';

/** Accepts an invite, once for whoever has accepted it before, and opens the page of its student. */
export function useAcceptance(token: string): { accept: () => Promise<void>; isPending: boolean } {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useSend('POST /invites/accept');
  const accept = async () => {
    const { student_id } = await mutateAsync({ token });
    preferPlace(student_id);
    void navigate('/aluno', { replace: true });
  };
  return { accept, isPending };
}
