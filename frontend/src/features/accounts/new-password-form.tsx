import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useState, type FormEvent } from 'react';
import { auth } from '../../lib/auth.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';

const messages: Record<string, string> = {
  weak_password: 'Use uma senha mais longa e menos comum.',
  same_password: 'Esta já é a sua senha. Escolha outra.',
};

/** For whoever comes from a recovery mail. */
export function NewPasswordForm() {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const save = async () => {
    setBusy(true);
    const { error: failure } = await (await auth()).updateUser({ password });
    setBusy(false);
    const known = messages[failure?.code ?? ''];
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
        <PasswordInput
          label="Nova senha"
          description="Pelo menos 6 caracteres"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar senha' }}
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
