import * as z from 'zod/mini';
import { useBodyForm } from '../../lib/form.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { emailAddress, EmailField } from './account-fields.js';
import classes from './account.module.css';
import { answered } from '../../lib/auth-refusals.js';
import { useAccountChange } from './use-account-change.js';
import { returnTo } from './use-return.js';

interface ChangeEmailProps {
  current: string;
  onClose: () => void;
}

export function ChangeEmail({ current, onClose }: ChangeEmailProps) {
  const change = useAccountChange();
  const form = useBodyForm({
    initialValues: { email: '' },
    schema: z.object({
      email: emailAddress.check(
        z.refine((email) => email.toLowerCase() !== current, 'Este já é o seu e-mail'),
      ),
    }),
    toBody: ({ email }) => ({ email: email.trim() }),
  });

  return (
    <Sheet opened onClose={onClose} title="Trocar e-mail" beginsAtField withoutAddress>
      <form
        noValidate
        onSubmit={submitting(form, {
          failure: 'Erro ao trocar o e-mail',
          save: async (body) => {
            await change((client) =>
              answered(client.updateUser(body, { emailRedirectTo: returnTo({ email: 'confirmado' }) })),
            );
            toast.success('E-mails de confirmação enviados', {
              description: 'Confirme nos dois em até 10 minutos.',
            });
            onClose();
          },
        })}
      >
        <p className={classes.text}>
          Vamos enviar um e-mail para {current} e outro para o novo endereço. A troca só acontece depois que
          você confirmar os dois. Até lá, entre com o e-mail atual.
        </p>
        <EmailField
          label="Novo e-mail"
          autoComplete="email"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <SheetActions>
          <SaveButton busy={form.submitting}>Enviar confirmações</SaveButton>
        </SheetActions>
      </form>
    </Sheet>
  );
}
