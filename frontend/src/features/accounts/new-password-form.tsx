import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { auth } from '../../lib/auth.js';
import { toast } from '../../ui/toast.js';
import { NewPasswordField } from './account-fields.js';
import classes from './auth-page.module.css';
import { wordsOf } from './refusals.js';

/** For whoever comes from a recovery mail. */
export function NewPasswordForm() {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const save = async () => {
    setBusy(true);
    const { error: failure } = await (await auth()).updateUser({ password });
    setBusy(false);
    const known = failure && wordsOf(failure);
    if (!failure) toast.success('Senha alterada');
    else if (known) setError(known);
    else toast.error('Erro ao salvar a senha. Tente novamente.');
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <>
      <h2 className={classes.step}>Crie uma nova senha</h2>
      <p className={classes.hint}>Os outros aparelhos precisarão entrar de novo com ela.</p>
      <form className={classes.form} onSubmit={submit} noValidate>
        <NewPasswordField
          label="Nova senha"
          autoFocus
          value={password}
          error={error}
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" loading={busy} disabled={password === ''}>
          Salvar nova senha
        </Button>
      </form>
    </>
  );
}
