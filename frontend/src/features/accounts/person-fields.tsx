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

/** What the required fields of a sign-up say while they are empty. */
const asks = {
  nome: 'Informe seu nome',
  cpf: 'Informe seu CPF',
  data_nascimento: 'Informe sua data de nascimento',
  telefone: 'Informe o celular com DDD',
  email: 'Informe seu e-mail',
  password: 'Crie uma senha',
};
type Asked = keyof typeof asks;

/** The errors of those of the named fields that are empty. */
export const emptyOf = <Name extends Asked>(names: readonly Name[], values: Record<Name, string>) =>
  Object.fromEntries(
    names.filter((name) => values[name].trim() === '').map((name) => [name, asks[name]]),
  ) as Partial<Record<Name, string>>;

export const TRAINER_FIELDS = ['nome', 'cpf', 'data_nascimento', 'telefone'] as const;

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
    <Button component="a" href="/termos" target="_blank" rel="noopener" variant="subtle" px={0} ml={32}>
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
