import { Button } from '@mantine/core';
import * as z from 'zod/mini';
import { auth, authState } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf, ProblemError } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { EmailField, emailAddress } from './account-fields.js';
import classes from './auth-page.module.css';
import type { MailLink } from './mail-link.js';

interface LinkFromElsewhereProps {
  link: MailLink;
  onBack: () => void;
}

const typedAddress = z.object({ email: z.string().check(z.trim(), emailAddress) });

/**
 * For the link of a mail that is opened in another browser than the one that requested it. The user has to type the address that
 * received the mail, so that a link that somebody else forwarded does not sign in to the wrong account.
 */
export default function LinkFromElsewhere({ link: { token, type }, onBack }: LinkFromElsewhereProps) {
  const form = useBodyForm({
    initialValues: { email: '' },
    schema: typedAddress,
    toBody: (values) => values,
  });

  const enter = async ({ email }: z.infer<typeof typedAddress>) => {
    const client = await auth();
    await answered(client.verifyOtp({ email, token, type })).catch(refused);
    if (authState().status === 'signed-in')
      toast.success(type === 'signup' ? 'Conta confirmada!' : 'Login realizado com sucesso!');
  };

  return (
    <>
      <h2 className={classes.step}>Confirme seu e-mail</h2>
      <p className={classes.hint}>
        Este link foi pedido em outro navegador. Para usar por aqui, digite o e-mail em que ele chegou.
        {type === 'signup' && ' Depois, crie sua senha em Ajustes, Conta.'}
      </p>
      <FormStack
        form={form}
        onSubmit={submitting(form, { save: enter, failure: 'Erro ao abrir o link. Tente novamente.' })}
      >
        <EmailField autoFocus {...form.getInputProps('email')} />
        <Button type="submit" loading={form.submitting}>
          Continuar
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Voltar
        </Button>
      </FormStack>
    </>
  );
}

function refused(error: unknown): never {
  if (codeOf(error) !== 'otp_expired') throw error;
  const detail = 'Confira o e-mail. Se estiver certo, o link expirou ou já foi usado: peça outro.';
  throw new ProblemError(403, { code: 'otp_expired', errors: [{ pointer: '/email', detail }] }, null);
}
