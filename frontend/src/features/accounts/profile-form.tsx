import { TextInput } from '@mantine/core';
import { type Profile, profileBody } from '../../../../backend/modules/accounts/profile.api.js';
import { useBodyForm } from '../../lib/form.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { Card } from '../../ui/card.js';
import { CpfField, DateTextField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useChangeProfile } from './account.queries.js';

/** Form for the profile. The CPF can be set once. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const { nome, telefone, data_nascimento, cpf } = profile;
  const { mutateAsync } = useChangeProfile();
  const form = useBodyForm({
    initialValues: {
      nome,
      telefone: maskPhone(telefone ?? ''),
      data_nascimento: data_nascimento ?? '',
      cpf: '',
    },
    schema: profileBody,
    toBody: (values) => ({
      nome: values.nome,
      telefone: values.telefone || null,
      data_nascimento: values.data_nascimento || null,
      cpf: values.cpf || undefined,
    }),
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar',
          save: async (body) => {
            await mutateAsync(body);
            const { cpf: _, ...se_ainda } = body;
            toast.success(
              'Perfil salvo',
              takenBack(() => mutateAsync({ nome, telefone, data_nascimento, se_ainda })),
            );
          },
        })}
      >
        <TextInput label="Nome" autoComplete="name" {...form.getInputProps('nome')} />
        <PhoneField label="Celular" autoComplete="tel" {...form.getInputProps('telefone')} />
        <DateTextField
          label="Data de nascimento"
          autoComplete="bday"
          {...form.getInputProps('data_nascimento')}
        />
        {cpf ? (
          <TextInput label="CPF" description="Não pode ser trocado" readOnly value={cpf} />
        ) : (
          <CpfField
            label="CPF"
            description="Depois de salvo, não pode ser trocado. Se já estiver em outra conta, avisamos por e-mail."
            {...form.getInputProps('cpf')}
          />
        )}
        <SaveButton busy={form.submitting}>Salvar perfil</SaveButton>
      </FormStack>
    </Card>
  );
}
