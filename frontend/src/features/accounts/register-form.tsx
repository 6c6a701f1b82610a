import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { signUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import { requiredTerms } from '../../../../backend/modules/general-terms/general-terms.api.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { emailAddress, EmailField, newPassword, NewPasswordField, notGuessable } from './account-fields.js';
import { ConfirmAccount } from './confirm-account.js';
import {
  agreement,
  emptyOf,
  filled,
  NameField,
  TermsField,
  TRAINER_FIELDS,
  TrainerFields,
} from './person-fields.js';
import { signUp } from './sign-up.js';

/** Fields of the profile, e-mail and password. */
const registration = z
  .extend(signUpData, { email: emailAddress, password: newPassword, termos: requiredTerms })
  .check(notGuessable);

const empty = {
  nome: '',
  cpf: '',
  data_nascimento: '',
  telefone: '',
  email: '',
  password: '',
  termos: false,
};

export default function RegisterForm() {
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const form = useBodyForm({
    initialValues: empty,
    schema: registration,
    toBody: ({ termos, ...values }) => ({ ...filled(values), ...agreement(termos) }),
    check: (values) => emptyOf([...TRAINER_FIELDS, 'email', 'password'], values),
  });

  const register = async (body: z.infer<typeof registration>) => {
    const isOpen = await signUp(body);
    toast.success(
      'Conta criada com sucesso!',
      isOpen ? {} : { description: 'Verifique seu e-mail para confirmar a conta.' },
    );
    if (!isOpen) setUnconfirmed(body.email);
  };

  if (unconfirmed !== null) return <ConfirmAccount email={unconfirmed} onBack={() => setUnconfirmed(null)} />;

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save: register,
        failure: 'Erro ao criar conta. Tente novamente.',
        says: (error) =>
          codeOf(error) === 'user_already_exists' ? 'Usuário já cadastrado. Faça login.' : undefined,
      })}
    >
      <NameField form={form} />
      <TrainerFields form={form} />
      <EmailField {...form.getInputProps('email')} />
      <NewPasswordField {...form.getInputProps('password')} />
      <TermsField form={form} />
      <Button type="submit" loading={form.submitting}>
        Criar conta
      </Button>
    </FormStack>
  );
}
