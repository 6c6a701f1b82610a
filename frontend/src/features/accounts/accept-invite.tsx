import { Button } from '@mantine/core';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { signOut } from './sign-out.js';
import { useAcceptance } from './use-acceptance.js';

interface AcceptInviteProps {
  token: string;
  email: string;
  onNotValid: () => void;
}

/** Accepts an invite with the account that is signed in. */
export function AcceptInvite({ token, email, onNotValid }: AcceptInviteProps) {
  const { accept, isPending } = useAcceptance(token);

  const onAccept = async () => {
    try {
      await accept();
      toast.success('Convite aceito');
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
      <Button loading={isPending} onClick={() => void onAccept()}>
        Aceitar convite
      </Button>
      <Button variant="default" onClick={() => void signOut()}>
        Usar outra conta
      </Button>
    </div>
  );
}
