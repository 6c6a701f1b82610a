import { Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import {
  type Location,
  locationChanges,
  type LocationChanges,
} from '../../../../backend/modules/locations/locations.api.js';
import type { MaybePending } from '../../lib/pending-over-server.js';
import { ItemCard } from '../../ui/card.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { RecordActions, RecordsPage } from '../../ui/records-page.js';
import { Tag } from '../../ui/tag.js';
import { useBodyForm } from '../../lib/form.js';
import { maskCep } from '../../lib/masks.js';
import { CepField } from '../../ui/fields.js';
import { FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { locationDraft, typedWays, waysOf } from './pending-location.js';
import { Ways } from './ways.js';
import { locations } from './locations.queries.js';

export default function LocationsPage() {
  return (
    <RecordsPage
      of={locations}
      icon="pin"
      height={130}
      empty={{
        title: 'Seus locais de atendimento vão aparecer aqui',
        action: 'Cadastrar o primeiro local',
        text: 'Academia, parque, casa do aluno: cada local pode ter a própria política de cancelamento.',
      }}
      card={(location, onEdit) => <LocationCard location={location} onEdit={onEdit} />}
      form={(location, props) => <LocationForm location={location} {...props} />}
    />
  );
}

function LocationCard({ location, onEdit }: { location: Location & MaybePending; onEdit: () => void }) {
  return (
    <ItemCard
      title={location.nome}
      subtitle={location.endereco ?? 'Sem endereço'}
      tags={
        location.is_active ? (
          <Tag tone="good" icon="check">
            Ativo
          </Tag>
        ) : (
          <Tag icon="archive">Inativo</Tag>
        )
      }
      actions={<RecordActions of={locations} item={location} onEdit={onEdit} />}
    >
      {location.pendente && <PendingMark ownLine />}
    </ItemCard>
  );
}

/** Edits a location; its address is one field. */
function LocationForm({ location, ...props }: RecordForm<LocationChanges> & { location: Location }) {
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
