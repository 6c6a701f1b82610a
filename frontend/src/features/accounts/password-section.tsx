import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Profile } from '../../../../backend/modules/accounts/profile.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { newPassword, NewPasswordField, notGuessableOf } from './account-fields.js';
import classes from './account.module.css';
import { answered } from '../../lib/auth-refusals.js';
import { PersonProof, proofFields } from './person-proof.js';
import { useAccountChange } from './use-account-change.js';

export function PasswordSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false);
  const title = profile.tem_senha ? 'Trocar senha' : 'Criar senha';
  return (
    <Section
      title="Senha"
      action={
        <Button size="sm" variant="subtle" onClick={() => setChanging(true)}>
          {title}
        </Button>
      }
    >
      <Card flush>
        <Row
          title={profile.tem_senha ? '••••••••' : 'Sem senha'}
          facts={
            profile.tem_senha
              ? 'Ao trocar, os outros aparelhos serão desconectados'
              : 'Hoje você entra pelo Google, pela Apple ou por e-mail'
          }
        />
      </Card>
      {changing && <ChangePassword title={title} profile={profile} onClose={() => setChanging(false)} />}
    </Section>
  );
}

interface ChangePasswordProps {
  title: string;
  profile: Profile;
  onClose: () => void;
}

/** Asks for the password or a mailed code: an unlocked screen alone must not be enough. */
function ChangePassword({ title, profile: { email, nome, tem_senha }, onClose }: ChangePasswordProps) {
  const change = useAccountChange();
  const [byMail, setByMail] = useState(!tem_senha);
  const form = useBodyForm({
    initialValues: { current_password: '', nonce: '', password: '' },
    schema: z.object({ ...proofFields, password: newPassword }).check(notGuessableOf({ email, nome })),
    toBody: ({ current_password, nonce, password }) => ({
      ...(byMail ? { nonce: nonce.trim() } : { current_password }),
      password,
    }),
  });

  return (
    <Sheet opened onClose={onClose} title={title} beginsAtField="typed" withoutAddress>
      <form
        noValidate
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar a senha',
          save: async ({ password, current_password, nonce }) => {
            await change((client) =>
              answered(
                client.updateUser({
                  password,
                  ...(current_password && { current_password }),
                  ...(nonce && { nonce }),
                }),
              ),
            );
            toast.success('Senha alterada', { description: 'Os outros aparelhos foram desconectados.' });
            onClose();
          },
        })}
      >
        <PersonProof
          byMail={byMail}
          onByMail={() => setByMail(true)}
          password={{ label: 'Senha atual', ...form.getInputProps('current_password') }}
          code={{ description: `Enviamos para ${email}`, ...form.getInputProps('nonce') }}
        />
        <NewPasswordField
          label="Nova senha"
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a nova senha' }}
          {...form.getInputProps('password')}
        />
        <p className={classes.note}>Os outros aparelhos serão desconectados.</p>
        <SheetActions>
          <SaveButton busy={form.submitting}>{title}</SaveButton>
        </SheetActions>
      </form>
    </Sheet>
  );
}
