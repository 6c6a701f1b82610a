import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { CPF_ALREADY_REGISTERED, signUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import { auth } from '../../lib/auth.js';
import { cpf as cpfDigits } from 'cpf-cnpj-validator';
import { useBodyForm } from '../../lib/form.js';
import { CpfField, DateTextField, PhoneField } from '../../ui/fields.js';
import { toast } from '../../ui/toast.js';
import { emailAddress, EmailField, newPassword, NewPasswordField } from './account-fields.js';
import classes from './auth-page.module.css';
import { wordsOf } from './refusals.js';

/** The fields of the form: what goes into the profile, and what signs in. */
const registration = z
  .extend(signUpData, {
    email: emailAddress,
    password: newPassword,
  })
  .check(z.refine(({ cpf }) => cpfDigits.isValid(cpf), { error: 'CPF inválido', path: ['cpf'] }));

const empty = { nome: '', cpf: '', data_nascimento: '', telefone: '', email: '', password: '' };

export default function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const [busy, setBusy] = useState(false);
  const form = useBodyForm({
    initialValues: empty,
    schema: registration,
    toBody: (values) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || undefined])),
  });

  const register = async ({ email, password, ...data }: z.infer<typeof registration>) => {
    setBusy(true);
    const client = await auth();
    const { data: answer, error } = await client.signUp({
      email,
      password,
      options: { data, emailRedirectTo: `${location.origin}/` },
    });
    setBusy(false);
    if (error) {
      if (error.message === 'User already registered') toast.error('Usuário já cadastrado. Faça login.');
      else if (error.code === CPF_ALREADY_REGISTERED) form.setFieldError('cpf', error.message);
      else if (error.code === 'weak_password') form.setFieldError('password', wordsOf(error));
      else toast.error('Erro ao criar conta. Tente novamente.');
      return;
    }
    form.reset();
    if (answer.session) {
      toast.success('Conta criada com sucesso!');
    } else {
      toast.success('Conta criada com sucesso!', {
        description: 'Verifique seu e-mail para confirmar a conta.',
      });
      onRegistered();
    }
  };

  return (
    <form className={classes.form} onSubmit={form.submit((body) => void register(body))} noValidate>
      <TextInput
        label="Nome"
        autoComplete="name"
        placeholder="Seu nome completo"
        {...form.getInputProps('nome')}
      />

      <CpfField label="CPF" {...form.getInputProps('cpf')} />
      <DateTextField
        label="Data de nascimento"
        autoComplete="bday"
        {...form.getInputProps('data_nascimento')}
      />

      <PhoneField label="Celular" autoComplete="tel-national" {...form.getInputProps('telefone')} />
      <EmailField {...form.getInputProps('email')} />
      <NewPasswordField {...form.getInputProps('password')} />
      <Button type="submit" loading={busy}>
        Criar conta
      </Button>
    </form>
  );
}
