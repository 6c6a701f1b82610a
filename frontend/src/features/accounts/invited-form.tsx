import { Button, TextInput } from '@mantine/core';
import { cpf as cpfDigits } from 'cpf-cnpj-validator';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import * as z from 'zod/mini';
import { CPF_ALREADY_REGISTERED } from '../../../../backend/modules/accounts/accounts.api.js';
import {
  INVITE_NOT_VALID,
  invitedData,
  type Invite,
} from '../../../../backend/modules/accounts/invites.api.js';
import { auth } from '../../lib/auth.js';
import { useBodyForm } from '../../lib/form.js';
import { maskPhone } from '../../lib/masks.js';
import { CpfField, PhoneField } from '../../ui/fields.js';
import { toast } from '../../ui/toast.js';
import { emailAddress, EmailField, newPassword, NewPasswordField, PasswordField } from './account-fields.js';
import classes from './auth-page.module.css';
import { wordsOf } from './refusals.js';

/** Spec 2, section 5. */
const registration = z
  .extend(invitedData, {
    email: emailAddress,
    password: newPassword,
    confirmation: z.string(),
  })
  .check(
    z.refine(({ password, confirmation }) => password === confirmation, {
      error: 'As senhas não coincidem',
      path: ['confirmation'],
    }),
    z.refine(({ cpf }) => cpf === undefined || cpfDigits.isValid(cpf), {
      error: 'CPF inválido',
      path: ['cpf'],
    }),
  );

interface InvitedFormProps {
  token: string;
  student: Invite['student'];
  onDone: () => void;
  onNotValid: () => void;
}

/** Makes a student's account. */
export function InvitedForm({ token, student, onDone, onNotValid }: InvitedFormProps) {
  const [busy, setBusy] = useState(false);
  const form = useBodyForm({
    initialValues: {
      nome: student.nome,
      email: '',
      password: '',
      confirmation: '',
      cpf: '',
      telefone: maskPhone(student.whatsapp ?? ''),
    },
    schema: registration,
    toBody: ({ password, confirmation, cpf, telefone, ...values }) => ({
      ...values,
      convite: token,
      email: values.email.trim(),
      password,
      confirmation,
      cpf: cpf || undefined,
      telefone: telefone || undefined,
    }),
  });

  const register = async ({
    email,
    password,
    confirmation: _same,
    ...data
  }: z.infer<typeof registration>) => {
    setBusy(true);
    const client = await auth();
    const { data: answer, error } = await client.signUp({
      email,
      password,
      options: { data, emailRedirectTo: `${location.origin}/` },
    });
    setBusy(false);
    if (!error) {
      toast.success(
        'Conta criada com sucesso! Você será redirecionado...',
        answer.session ? {} : { description: 'Verifique seu e-mail para confirmar a conta.' },
      );
      onDone();
    } else if (error.code === INVITE_NOT_VALID) onNotValid();
    else if (error.message === 'User already registered') toast.error('Este email já está cadastrado');
    else if (error.code === CPF_ALREADY_REGISTERED) form.setFieldError('cpf', error.message);
    else if (error.code === 'weak_password') form.setFieldError('password', wordsOf(error));
    else toast.error(error.message ? `Erro ao criar conta: ${error.message}` : 'Erro ao criar conta');
  };

  return (
    <form className={classes.form} onSubmit={form.submit((body) => void register(body))} noValidate>
      <TextInput label="Nome" autoComplete="name" {...form.getInputProps('nome')} />
      <EmailField {...form.getInputProps('email')} />
      <NewPasswordField {...form.getInputProps('password')} />
      <PasswordField
        label="Confirmar senha"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a confirmação' }}
        {...form.getInputProps('confirmation')}
      />
      <CpfField label="CPF (opcional)" {...form.getInputProps('cpf')} />
      <PhoneField
        label="Telefone (opcional)"
        autoComplete="tel-national"
        {...form.getInputProps('telefone')}
      />
      <Button type="submit" loading={busy}>
        Criar conta
      </Button>
      <Button
        component={Link}
        variant="subtle"
        to={`/auth?${new URLSearchParams({ destino: `/convite/${token}` }).toString()}`}
      >
        Já tenho conta
      </Button>
    </form>
  );
}
