import { Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import type { ReactNode } from 'react';
import {
  locationChanges,
  type Location,
  type LocationChanges,
} from '../../../../backend/modules/locations/locations.api.js';
import { useBodyForm } from '../../lib/form.js';
import { maskCep } from '../../lib/masks.js';
import { CepField } from '../../ui/fields.js';
import { ButtonRow, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { locationDraft } from './pending-location.js';

interface LocationFormProps {
  location: Location;
  submitLabel: string;
  failure: string;
  save: (body: LocationChanges) => Promise<unknown>;
  /** Stands before the submit button. */
  beside?: ReactNode;
  /** What the buttons stand in: a sheet has its own. */
  Buttons?: typeof ButtonRow;
}

/** Edits a location, whose address is one text. */
export function LocationForm(props: LocationFormProps) {
  const { location, submitLabel, beside, Buttons = ButtonRow } = props;
  const form = useBodyForm({
    initialValues: {
      nome: location.nome,
      cep: maskCep(location.cep ?? ''),
      endereco: location.endereco ?? '',
      is_active: location.is_active,
    },
    schema: locationChanges,
    toBody: ({ nome, cep, endereco, is_active }) => ({
      nome,
      cep: cep || null,
      endereco: endereco || null,
      is_active,
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
      <Switch
        label="Ativo"
        description="Locais inativos não aparecem em novos agendamentos."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
      <Buttons>
        {beside}
        <SaveButton busy={form.submitting}>{submitLabel}</SaveButton>
      </Buttons>
    </FormStack>
  );
}
