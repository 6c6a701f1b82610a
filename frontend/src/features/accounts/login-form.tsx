import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import { auth, authState } from '../../lib/auth.js';
import { whenReachable } from '../../lib/chunks.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import { canUsePasskeys } from './can-use-passkeys.js';
import { ConfirmAccount } from './confirm-account.js';
import { EmailField, knownEmail, PasswordField } from './account-fields.js';

const CodeSignIn = lazy(() => whenReachable(() => import('./code-sign-in.js')));
const ForgotPassword = lazy(() => whenReachable(() => import('./forgot-password.js')));
const PasskeySignIn = lazy(async () => ({
  default: (await whenReachable(() => import('./passkey-buttons.js'))).PasskeySignIn,
}));

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
  if (slowed !== null)
    return (
      <Suspense>
        <CodeSignIn email={slowed} onBack={() => setSlowed(null)} />
      </Suspense>
    );

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
        <EmailField autoComplete="username webauthn" {...form.getInputProps('email')} />
        <PasswordField {...form.getInputProps('password')} />
        <Button type="submit" loading={form.submitting}>
          Entrar
        </Button>
        {canUsePasskeys && (
          <Suspense fallback={<Button variant="default" loading />}>
            <PasskeySignIn />
          </Suspense>
        )}
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
