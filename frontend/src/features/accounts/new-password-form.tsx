import { Button } from '@mantine/core';
import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { storedSession } from '../../lib/auth-storage.js';
import { useBodyForm } from '../../lib/form.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { newPassword, NewPasswordField, notGuessableOf } from './account-fields.js';
import classes from './auth-page.module.css';
import { answered } from '../../lib/auth-refusals.js';

/** Sets a new password after a recovery mail. */
export function NewPasswordForm() {
  const user = storedSession()?.user;
  const owner = { email: user?.email ?? '', nome: String(user?.user_metadata.nome ?? '') };
  const form = useBodyForm({
    initialValues: { password: '' },
    schema: z.object({ password: newPassword }).check(notGuessableOf(owner)),
    toBody: (values) => values,
  });

  return (
    <>
      <h2 className={classes.step}>Crie uma nova senha</h2>
      <p className={classes.hint}>Os outros aparelhos serão desconectados.</p>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar a senha. Tente novamente.',
          save: async (body) => {
            await answered((await auth()).updateUser(body));
            toast.success('Senha alterada');
          },
        })}
      >
        <NewPasswordField label="Nova senha" autoFocus {...form.getInputProps('password')} />
        <Button type="submit" loading={form.submitting}>
          Salvar nova senha
        </Button>
      </FormStack>
    </>
  );
}
