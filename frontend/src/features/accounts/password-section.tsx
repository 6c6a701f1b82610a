import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Profile } from '../../../../backend/modules/accounts/profile.api.js';
import { auth } from '../../lib/auth.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { newPassword, NewPasswordField, PasswordField } from './account-fields.js';
import classes from './account.module.css';
import { answered } from '../../lib/auth-refusals.js';
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
              ? 'Ao trocar, os outros aparelhos precisam entrar de novo'
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

/** Whoever finds an open screen does not know the password, nor gets the owner's mail. */
function ChangePassword({ title, profile: { email, tem_senha }, onClose }: ChangePasswordProps) {
  const change = useAccountChange();
  const [byMail, setByMail] = useState(!tem_senha);
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState(false);
  const form = useBodyForm({
    initialValues: { current_password: '', nonce: '', password: '' },
    schema: z.object({
      current_password: z.optional(z.string().check(z.minLength(1, 'Informe sua senha atual'))),
      nonce: z.optional(z.string().check(z.regex(/^\d{6}$/, 'Digite os seis números do e-mail'))),
      password: newPassword,
    }),
    toBody: ({ current_password, nonce, password }) => ({
      ...(byMail ? { nonce: nonce.trim() } : { current_password }),
      password,
    }),
  });

  const ask = async () => {
    setAsking(true);
    const sent = await attempt(async () => answered((await auth()).reauthenticate()), 'Erro ao enviar email');
    setAsking(false);
    if (!sent) return;
    toast.success('Email enviado!', { description: `O código chega em ${email}.` });
    setByMail(true);
    setAsked(true);
  };

  return (
    <Sheet opened onClose={onClose} title={title} beginsAtField>
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
            toast.success('Senha alterada', { description: 'Os outros aparelhos precisam entrar de novo.' });
            onClose();
          },
        })}
      >
        {byMail ? (
          <TextInput
            label="Código do e-mail"
            description={asked ? `Enviado para ${email}; vale por 10 minutos` : `Vamos enviar para ${email}`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            {...form.getInputProps('nonce')}
          />
        ) : (
          <PasswordField label="Senha atual" data-autofocus {...form.getInputProps('current_password')} />
        )}
        <NewPasswordField
          label="Nova senha"
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a nova senha' }}
          {...form.getInputProps('password')}
        />
        <p className={classes.note}>
          Os outros aparelhos saem na hora e precisam entrar de novo com a nova senha.
        </p>
        <SheetActions>
          <Button variant="subtle" loading={asking} onClick={() => void ask()}>
            {!byMail ? 'Não lembro' : asked ? 'Reenviar código' : 'Enviar código'}
          </Button>
          <SaveButton busy={form.submitting}>{title}</SaveButton>
        </SheetActions>
      </form>
    </Sheet>
  );
}
