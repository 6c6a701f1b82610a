import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { auth } from '../../lib/auth.js';
import { Sheet } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { EmailField } from './account-fields.js';
import classes from './auth-page.module.css';

interface ForgotPasswordProps {
  /** What was typed as the e-mail so far. */
  email: string;
  onClose: () => void;
}

/** Asks for the mail with which somebody makes a new password. The answer is the same for everybody. */
export default function ForgotPassword({ email: typed, onClose }: ForgotPasswordProps) {
  const [email, setEmail] = useState(typed);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const send = async () => {
    setBusy(true);
    const client = await auth();
    const { error: failure } = await client.resetPasswordForEmail(email.trim(), {
      redirectTo: `${location.origin}/auth`,
    });
    setBusy(false);
    if (failure) {
      toast.error('Erro ao enviar email');
    } else {
      toast.success('Email enviado!', {
        description: 'Abra o link neste aparelho para criar uma nova senha.',
      });
      onClose();
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '') setError('Informe seu e-mail');
    else void send();
  };

  return (
    <Sheet opened onClose={onClose} title="Recuperar senha" beginsAtField>
      <form className={classes.form} onSubmit={submit} noValidate>
        <EmailField
          label="E-mail da conta"
          data-autofocus
          value={email}
          error={error}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" loading={busy}>
          Enviar link
        </Button>
      </form>
    </Sheet>
  );
}
