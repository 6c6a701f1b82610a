import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import { auth, authState } from '../../lib/auth.js';
import { whenReachable } from '../../lib/chunks.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast, attempt } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import { MailedCode } from './mailed-code.js';
import { sentLately } from './sent-lately.js';
import classes from './auth-page.module.css';
import { ConfirmAccount } from './confirm-account.js';
import { EmailField, knownEmail, PasswordField } from './account-fields.js';

const ForgotPassword = lazy(() => whenReachable(() => import('./forgot-password.js')));

const credentials = z.object({
  email: knownEmail,
  password: z.string().check(z.minLength(1, 'Informe sua senha')),
});

export function LoginForm() {
  const [forgot, setForgot] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const [slowed, setSlowed] = useState<string | null>(null);
  const form = useBodyForm({
    initialValues: { email: '', password: '' },
    schema: credentials,
    toBody: (values) => values,
  });

  const signIn = async (body: z.infer<typeof credentials>) => {
    try {
      await answered((await auth()).signInWithPassword(body));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'email_not_confirmed') {
        toast.error('Seu e-mail ainda não foi confirmado', {
          description: 'Digite o código do e-mail que enviamos, ou peça outro.',
        });
        return setUnconfirmed(body.email);
      }
      if (code === 'over_request_rate_limit') return setSlowed(body.email);
      throw error;
    }
    // If a second factor is required, its form shows this message.
    if (authState().status === 'signed-in') toast.success('Login realizado com sucesso!');
  };

  if (unconfirmed !== null) return <ConfirmAccount email={unconfirmed} onBack={() => setUnconfirmed(null)} />;
  if (slowed !== null) return <CodeSignIn email={slowed} onBack={() => setSlowed(null)} />;

  return (
    <>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: signIn,
          failure: 'Erro ao fazer login. Tente novamente.',
          says: (error) =>
            codeOf(error) === 'invalid_credentials' ? 'Email ou senha incorretos' : undefined,
        })}
      >
        <EmailField {...form.getInputProps('email')} />
        <PasswordField {...form.getInputProps('password')} />
        <Button type="submit" loading={form.submitting}>
          Entrar
        </Button>
        <Button variant="subtle" onClick={() => setForgot(true)}>
          Esqueci minha senha
        </Button>
      </FormStack>
      {forgot && (
        <Suspense>
          <ForgotPassword email={form.values.email} onClose={() => setForgot(false)} />
        </Suspense>
      )}
    </>
  );
}

interface CodeSignInProps {
  email: string;
  onBack: () => void;
}

/** Sign-in with a mailed code, for accounts with too many wrong passwords. */
function CodeSignIn({ email, onBack }: CodeSignInProps) {
  const [isSent, setSent] = useState(false);
  const [sending, setSending] = useState(false);

  const ask = async () => {
    const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/auth` };
    await answered((await auth()).signInWithOtp({ email, options }));
  };

  const begin = async () => {
    setSending(true);
    await attempt(async () => {
      try {
        await ask();
      } catch (error) {
        if (codeOf(error) !== 'over_email_send_rate_limit') throw error;
        // The limit of codes is reached: the newest one is still valid, and so is its link in any browser.
        sentLately();
      }
      setSent(true);
    }, 'Erro ao enviar e-mail');
    setSending(false);
  };

  if (isSent)
    return (
      <MailedCode
        email={email}
        title="Entre com o código"
        onResend={ask}
        onBack={onBack}
        back="Usar senha"
        onDone={() => toast.success('Login realizado com sucesso!')}
      />
    );

  return (
    <>
      <h2 className={classes.step}>Muitas tentativas com senha errada</h2>
      <p className={classes.hint}>
        Para proteger a sua conta, o login com senha está bloqueado neste aparelho por enquanto. Entre com um
        código enviado para <strong className={classes.address}>{email}</strong>.
      </p>
      <div className={classes.stack}>
        <Button loading={sending} onClick={() => void begin()}>
          Enviar código
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Voltar
        </Button>
      </div>
    </>
  );
}
