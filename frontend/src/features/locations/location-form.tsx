import { Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import {
  locationChanges,
  type Location,
  type LocationChanges,
} from '../../../../backend/modules/locations/locations.api.js';
import { useBodyForm } from '../../lib/form.js';
import { maskCep } from '../../lib/masks.js';
import { CepField } from '../../ui/fields.js';
import { FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { locationDraft, typedWays, waysOf } from './pending-location.js';
import { Ways } from './ways.js';

/** Edits a location; its address is one field. */
export function LocationForm({ location, ...props }: RecordForm<LocationChanges> & { location: Location }) {
  const form = useBodyForm({
    initialValues: {
      nome: location.nome,
      cep: maskCep(location.cep ?? ''),
      endereco: location.endereco ?? '',
      is_active: location.is_active,
      deslocamentos: typedWays(location.deslocamentos),
    },
    schema: locationChanges,
    toBody: ({ nome, cep, endereco, is_active, deslocamentos }) => ({
      nome,
      cep: cep || null,
      endereco: endereco || null,
      is_active,
      deslocamentos: waysOf(deslocamentos),
    }),
    draft: locationDraft(location.id),
    onlyChanges: true,
  });

  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput
        label="Nome *"
        placeholder="Ex.: Academia Central"
        autoComplete="off"
        {...form.getInputProps('nome')}
      />
      <CepField label="CEP" {...form.getInputProps('cep')} />
      <LongTextField
        label="Endereço"
        placeholder="Rua, número, bairro, cidade, UF"
        maxRows={5}
        {...form.getInputProps('endereco')}
      />
      <Ways
        from={location.id}
        minutes={form.values.deslocamentos}
        onChange={(deslocamentos) => form.setFieldValue('deslocamentos', deslocamentos)}
      />
      <Switch
        label="Ativo"
        description="Locais inativos não aparecem em novos agendamentos."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
      <RecordButtons {...props} busy={form.submitting} />
    </FormStack>
  );
}
