import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import * as z from 'zod/mini';
import {
  INVITE_NOT_VALID,
  invitedData,
  type Invite,
} from '../../../../backend/modules/accounts/invites.api.js';
import { requiredTerms } from '../../../../backend/modules/general-terms/general-terms.api.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf, messageOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import {
  emailAddress,
  EmailField,
  newPassword,
  NewPasswordField,
  notGuessable,
  PasswordField,
} from './account-fields.js';
import { ConfirmAccount } from './confirm-account.js';
import { agreement, emptyOf, filled, InvitedFields, NameField, TermsField } from './person-fields.js';
import { signUp } from './sign-up.js';

/** Spec 2, section 5. */
const registration = z
  .extend(invitedData, {
    email: emailAddress,
    password: newPassword,
    confirmation: z.string(),
    termos: requiredTerms,
  })
  .check(
    z.refine(({ password, confirmation }) => password === confirmation, {
      error: 'As senhas não coincidem',
      path: ['confirmation'],
    }),
    notGuessable,
  );

interface InvitedFormProps {
  token: string;
  student: Invite['student'];
  onDone: () => void;
  onNotValid: () => void;
}

/** Form that creates a student's account. */
export function InvitedForm({ token, student, onDone, onNotValid }: InvitedFormProps) {
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const form = useBodyForm({
    initialValues: {
      nome: student.nome,
      email: '',
      password: '',
      confirmation: '',
      cpf: '',
      telefone: '',
      termos: false,
    },
    schema: registration,
    toBody: ({ confirmation, termos, ...values }) => ({
      ...filled(values),
      ...agreement(termos),
      confirmation,
      convite: token,
    }),
    check: (values) => emptyOf(['nome', 'email', 'password'], values),
  });

  const register = async ({ confirmation: _same, ...body }: z.infer<typeof registration>) => {
    const isOpen = await signUp(body);
    if (!isOpen) return setUnconfirmed(body.email);
    toast.success('Conta criada com sucesso! Você será redirecionado...');
    return onDone();
  };

  if (unconfirmed !== null)
    return <ConfirmAccount email={unconfirmed} onBack={() => setUnconfirmed(null)} onDone={onDone} />;

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save: (body) => register(body).catch(unlessNotValid(onNotValid)),
        says: (error) =>
          codeOf(error) === 'user_already_exists'
            ? 'Este email já está cadastrado'
            : `Erro ao criar conta: ${messageOf(error)}`,
      })}
    >
      <NameField form={form} />
      <EmailField {...form.getInputProps('email')} />
      <NewPasswordField {...form.getInputProps('password')} />
      <PasswordField
        label="Confirmar senha"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a confirmação' }}
        {...form.getInputProps('confirmation')}
      />
      <InvitedFields form={form} />
      <TermsField form={form} />
      <Button type="submit" loading={form.submitting}>
        Criar conta
      </Button>
      <Button
        component={Link}
        variant="subtle"
        to={`/auth?${new URLSearchParams({ destino: `/aceitar/${token}` }).toString()}`}
      >
        Já tenho conta
      </Button>
    </FormStack>
  );
}

function unlessNotValid(onNotValid: () => void) {
  return (error: unknown) => {
    if (codeOf(error) !== INVITE_NOT_VALID) throw error;
    onNotValid();
  };
}
