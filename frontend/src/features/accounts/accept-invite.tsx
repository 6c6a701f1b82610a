import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { useSend } from '../../lib/command.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { preferTenant } from '../../lib/tenant.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { signOut } from './sign-out.js';

interface AcceptInviteProps {
  token: string;
  email: string;
  onNotValid: () => void;
}

/** Accepts an invite with the account that is signed in. */
export function AcceptInvite({ token, email, onNotValid }: AcceptInviteProps) {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useSend('POST /invites/accept');

  const accept = async () => {
    try {
      const { tenant_id } = await mutateAsync({ token });
      preferTenant(tenant_id);
      toast.success('Convite aceito');
      void navigate('/aluno', { replace: true });
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'invites.not_valid') onNotValid();
      else toast.error('Erro ao aceitar o convite', { description: messageOf(error) });
    }
  };

  return (
    <div className={classes.stack}>
      <p className={classes.account}>
        Você entrou como <strong>{email}</strong>.
      </p>
      <Button loading={isPending} onClick={() => void accept()}>
        Aceitar convite
      </Button>
      <Button variant="default" onClick={() => void signOut()}>
        Usar outra conta
      </Button>
    </div>
  );
}
