import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, Suspense, useState } from 'react';
import { auth, authState } from '../../lib/auth.js';
import { whenReachable } from '../../lib/chunks.js';
import { toast } from '../../ui/toast.js';
import { EmailField, PasswordField } from './account-fields.js';
import classes from './auth-page.module.css';

const ForgotPassword = lazy(() => whenReachable(() => import('./forgot-password.js')));

export function LoginForm() {
  const [busy, setBusy] = useState(false);
  const [forgot, setForgot] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() ? null : 'Informe seu e-mail'),
      password: (password) => (password ? null : 'Informe sua senha'),
    },
  });

  const signIn = async ({ email, password }: typeof form.values) => {
    setBusy(true);
    const { error } = await (await auth()).signInWithPassword({ email: email.trim(), password });
    setBusy(false);
    // Where a second factor is asked for, its form says how it went.
    if (!error) {
      if (authState().status === 'signed-in') toast.success('Login realizado com sucesso!');
    } else if (error.message === 'Invalid login credentials') toast.error('Email ou senha incorretos');
    else toast.error('Erro ao fazer login. Tente novamente.');
  };

  return (
    <>
      <form className={classes.form} onSubmit={form.onSubmit((values) => void signIn(values))} noValidate>
        <EmailField {...form.getInputProps('email')} />
        <PasswordField {...form.getInputProps('password')} />
        <Button type="submit" loading={busy}>
          Entrar
        </Button>
        <Button variant="subtle" onClick={() => setForgot(true)}>
          Esqueci minha senha
        </Button>
      </form>
      {forgot && (
        <Suspense>
          <ForgotPassword email={form.values.email} onClose={() => setForgot(false)} />
        </Suspense>
      )}
    </>
  );
}
