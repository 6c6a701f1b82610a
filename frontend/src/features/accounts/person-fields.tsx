import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { TERMS_VERSION } from '../../../../backend/modules/general-terms/general-terms.api.js';
import type { BodyForm } from '../../lib/form.js';
import { CpfField, DateTextField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';

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
      <PhoneField label="Celular" autoComplete="tel" {...form.getInputProps('telefone')} />
    </>
  );
}

/** The agreement to the terms of use, which open beside the form. */
export const TermsField = ({ form }: { form: Fields }) => (
  <div>
    <Checkbox
      label="Li e concordo com os termos de uso e a política de privacidade"
      {...form.getInputProps('termos', { type: 'checkbox' })}
    />
    <Button component="a" href="/termos" target="_blank" rel="noopener" variant="subtle">
      Ler os termos
    </Button>
  </div>
);

/** What the box says to the server: the version that was agreed to, or nothing. */
export const agreement = (isAgreed: boolean) => (isAgreed ? { termos: TERMS_VERSION } : {});

/** The optional sign-up fields of an invited student. */
export function InvitedFields({ form }: { form: Fields }) {
  return (
    <>
      <CpfField label="CPF (opcional)" {...form.getInputProps('cpf')} />
      <PhoneField label="Telefone (opcional)" autoComplete="tel" {...form.getInputProps('telefone')} />
    </>
  );
}
