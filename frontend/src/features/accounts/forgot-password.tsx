import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { useBodyForm } from '../../lib/form.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { EmailField, knownEmail } from './account-fields.js';
import { answered } from '../../lib/auth-refusals.js';
import { codeOf } from '../../lib/problem.js';
import { sentLately } from './sent-lately.js';

interface ForgotPasswordProps {
  /** The e-mail address that was typed so far. */
  email: string;
  onClose: () => void;
}

/** Requests the password recovery mail. The answer is the same for known and unknown addresses. */
export default function ForgotPassword({ email, onClose }: ForgotPasswordProps) {
  const form = useBodyForm({
    initialValues: { email },
    schema: z.object({ email: knownEmail }),
    toBody: (values) => values,
  });

  return (
    <Sheet opened onClose={onClose} title="Recuperar senha" beginsAtField middle withoutAddress>
      <SheetForm
        form={form}
        failure="Erro ao enviar email"
        save={async (body) => {
          const client = await auth();
          const redirectTo = `${location.origin}/auth`;
          try {
            await answered(client.resetPasswordForEmail(body.email, { redirectTo }));
            toast.success('Email enviado!', { description: 'Abra o link para criar uma nova senha.' });
          } catch (error) {
            if (codeOf(error) !== 'over_email_send_rate_limit') throw error;
            sentLately();
          }
          onClose();
        }}
        submit="Enviar link"
      >
        <EmailField label="E-mail da conta" data-autofocus {...form.getInputProps('email')} />
      </SheetForm>
    </Sheet>
  );
}
