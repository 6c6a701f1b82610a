import { TextInput } from '@mantine/core';
import type { BodyForm } from '../../lib/form.js';
import { CpfField, DateTextField, PhoneField } from '../../ui/fields.js';

/** The filled fields, trimmed except a password. */
export const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, name === 'password' ? value : value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );

type Fields = Pick<BodyForm<Record<string, string>, unknown>, 'getInputProps'>;

export const NameField = ({ form }: { form: Fields }) => (
  <TextInput
    label="Nome"
    autoComplete="name"
    placeholder="Seu nome completo"
    {...form.getInputProps('nome')}
  />
);

/** The sign-up fields of a trainer. */
export function TrainerFields({ form }: { form: Fields }) {
  return (
    <>
      <CpfField label="CPF" {...form.getInputProps('cpf')} />
      <DateTextField
        label="Data de nascimento"
        autoComplete="bday"
        {...form.getInputProps('data_nascimento')}
      />
      <PhoneField label="Celular" autoComplete="tel-national" {...form.getInputProps('telefone')} />
    </>
  );
}

/** The optional sign-up fields of an invited student. */
export function InvitedFields({ form }: { form: Fields }) {
  return (
    <>
      <CpfField label="CPF (opcional)" {...form.getInputProps('cpf')} />
      <PhoneField
        label="Telefone (opcional)"
        autoComplete="tel-national"
        {...form.getInputProps('telefone')}
      />
    </>
  );
}
