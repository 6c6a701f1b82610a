import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf, ProblemError } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { sentLately } from './sent-lately.js';

const typedCode = z.object({
  token: z.string().check(z.trim(), z.regex(/^\d{6}$/, 'Digite os 6 dígitos do e-mail')),
});

export interface MailedCodeFormProps {
  email: string;
  title: string;
  /** Requests another mail. */
  onResend: () => Promise<unknown>;
  onBack: () => void;
  back: string;
  /** Called after a correct code, when the user is signed in. */
  onDone: () => void;
}

/** Form for the six digits of a mail that confirms an account, or signs in. */
export default function MailedCodeForm(props: MailedCodeFormProps) {
  const { email, title, onResend, onBack, back, onDone } = props;
  const [resending, setResending] = useState(false);
  const form = useBodyForm({ initialValues: { token: '' }, schema: typedCode, toBody: (values) => values });

  const verify = async ({ token }: z.infer<typeof typedCode>) => {
    const client = await auth();
    await answered(client.verifyOtp({ email, token, type: 'email' })).catch(wrongCode);
    onDone();
  };

  const resend = async () => {
    setResending(true);
    await attempt(async () => {
      try {
        await onResend();
        toast.success('Email enviado!');
      } catch (error) {
        if (codeOf(error) !== 'over_email_send_rate_limit') throw error;
        sentLately();
      }
    }, 'Erro ao enviar e-mail');
    setResending(false);
  };

  return (
    <>
      <h2 className={classes.step}>{title}</h2>
      <p className={classes.hint}>
        Enviamos um código de 6 dígitos para <strong className={classes.address}>{email}</strong>. Digite o
        código aqui ou abra o link do e-mail.
      </p>
      <FormStack
        form={form}
        onSubmit={submitting(form, { save: verify, failure: 'Erro ao confirmar. Tente novamente.' })}
      >
        <TextInput
          label="Código do e-mail"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          autoFocus
          {...form.getInputProps('token')}
        />
        <Button type="submit" loading={form.submitting}>
          Confirmar
        </Button>
        <Button variant="default" loading={resending} onClick={() => void resend()}>
          Enviar outro código
        </Button>
        <Button variant="subtle" onClick={onBack}>
          {back}
        </Button>
      </FormStack>
    </>
  );
}

function wrongCode(error: unknown): never {
  if (codeOf(error) !== 'otp_expired') throw error;
  const detail = 'Código incorreto ou expirado. Confira ou peça outro.';
  throw new ProblemError(403, { code: 'otp_expired', errors: [{ pointer: '/token', detail }] }, null);
}
