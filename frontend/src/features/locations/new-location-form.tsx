import { Switch, TextInput, Button } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useRef } from 'react';
import { newLocation, type NewLocation } from '../../../../backend/modules/locations/locations.api.js';
import { stateZones } from '../../../../backend/modules/locations/postal-codes.api.js';
import { zoneNames, type ZoneName } from '../../../../backend/modules/settings/settings.api.js';
import { read } from '../../lib/calls.js';
import { useBodyForm } from '../../lib/form.js';
import { ProblemError } from '../../lib/problem.js';
import { CepField } from '../../ui/fields.js';
import { FieldPair, FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';
import { toast, attempt, takenBack } from '../../ui/toast.js';
import { useSend } from '../../lib/command.js';
import { formatTime, timeOf } from '../../lib/dates.js';
import { useNow, useZone } from '../../lib/zone.js';
import { ToldBox } from '../../ui/told-box.js';
import { locationDraft, typedWays, waysOf } from './pending-location.js';
import { Ways } from './ways.js';

const noArea = { rua: '', bairro: '', cidade: '', uf: '' };
type Area = typeof noArea;
const noAddress = { ...noArea, numero: '', complemento: '', deCep: noArea };
type Address = typeof noAddress;

/** The address as one text: street, number, complement, neighbourhood, city and state. */
const inOne = ({ rua, numero, complemento, bairro, cidade, uf }: Address): string =>
  [rua, numero, complemento, bairro, cidade, uf]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');

/** A new location, with address fields that the postal code fills in. */
export function NewLocationForm(props: RecordForm<NewLocation>) {
  const form = useBodyForm({
    initialValues: { nome: '', cep: '', endereco: noAddress, is_active: true, deslocamentos: typedWays([]) },
    schema: newLocation,
    toBody: ({ nome, cep, endereco, is_active, deslocamentos }) => ({
      nome,
      cep: cep || null,
      endereco: inOne(endereco) || null,
      is_active,
      deslocamentos: waysOf(deslocamentos),
    }),
    draft: locationDraft('cadastro'),
  });
  const looked = useRef('');

  const isCurrent = (cep: string) => form.getValues().cep.replace(/\D/g, '') === cep;

  /** Fills in what was found, and empties what the postal code before had filled in; what is typed meanwhile stays. */
  const take = (before: Address, found: Area) => {
    const { endereco: now } = form.getValues();
    const fresh = (Object.keys(noArea) as (keyof Area)[]).filter(
      (part) => now[part] === before[part] && (found[part] !== '' || now[part] === now.deCep[part]),
    );
    const parts = Object.fromEntries(fresh.map((part) => [part, found[part]]));
    form.setFieldValue('endereco', { ...now, ...parts, deCep: found });
  };
  const fillIn = async (cep: string) => {
    const before = form.getValues().endereco;
    try {
      const found = await read('GET /postal-codes/:cep', { of: [cep] });
      if (!isCurrent(cep)) return;
      take(before, { rua: found.logradouro, bairro: found.bairro, cidade: found.cidade, uf: found.uf });
      toast.success('✅ Endereço preenchido');
    } catch (error) {
      if (!isCurrent(cep)) return;
      looked.current = '';
      take(before, noArea);
      const code = error instanceof ProblemError ? error.code : null;
      if (code === 'postal_codes.not_found') toast.error('CEP não encontrado');
      else toast.error('Erro ao buscar CEP', { description: 'Preencha o endereço nos campos.' });
    }
  };
  const cepField = form.getInputProps('cep');
  const leaveCep = (event: unknown) => {
    (cepField.onBlur as ((event: unknown) => void) | undefined)?.(event);
    const cep = form.getValues().cep.replace(/\D/g, '');
    if (cep.length !== 8 || cep === looked.current) return;
    looked.current = cep;
    void fillIn(cep);
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput
        label="Nome *"
        placeholder="Ex.: Academia Central"
        autoComplete="off"
        {...form.getInputProps('nome')}
      />
      <CepField label="CEP" {...cepField} onBlur={leaveCep} />
      <TextInput label="Rua" autoComplete="off" maxLength={100} {...form.getInputProps('endereco.rua')} />
      <FieldPair>
        <TextInput
          label="Número"
          autoComplete="off"
          maxLength={10}
          {...form.getInputProps('endereco.numero')}
        />
        <TextInput
          label="Complemento"
          autoComplete="off"
          maxLength={60}
          {...form.getInputProps('endereco.complemento')}
        />
      </FieldPair>
      <TextInput
        label="Bairro"
        autoComplete="off"
        maxLength={60}
        {...form.getInputProps('endereco.bairro')}
      />
      <FieldPair>
        <TextInput
          label="Cidade"
          autoComplete="off"
          maxLength={50}
          {...form.getInputProps('endereco.cidade')}
        />
        <TextInput
          label="UF"
          autoComplete="off"
          maxLength={2}
          {...form.getInputProps('endereco.uf')}
          onChange={({ currentTarget }) =>
            form.setFieldValue('endereco.uf', currentTarget.value.replace(/[^a-z]/gi, '').toUpperCase())
          }
        />
      </FieldPair>
      <Ways
        minutes={form.values.deslocamentos}
        onChange={(deslocamentos) => form.setFieldValue('deslocamentos', deslocamentos)}
      />
      <ZoneProposal uf={form.values.endereco.uf} />
      <Switch
        label="Ativo"
        description="Locais inativos não aparecem em novos agendamentos."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
      <RecordButtons {...props} busy={form.submitting} />
    </FormStack>
  );
}

const zones: Readonly<Record<string, ZoneName>> = stateZones;

/** Offers the state's time zone where it differs from the agenda's. */
function ZoneProposal({ uf }: { uf: string }) {
  const current = useZone();
  const { mutateAsync, isPending } = useSend('PUT /settings/timezone');
  const proposed = zones[uf];
  const now = new Date(useNow());
  if (!proposed || timeOf(now, proposed) === timeOf(now, current)) return null;

  const change = () =>
    attempt(async () => {
      await mutateAsync({ fuso_horario: proposed });
      toast.success(
        'Fuso horário salvo',
        takenBack(() => mutateAsync({ fuso_horario: current as ZoneName, se_ainda: proposed })),
      );
    }, 'Erro ao salvar');
  return (
    <ToldBox>
      <p>
        Este endereço fica em outro fuso horário: {zoneNames[proposed]}, onde o relógio marca{' '}
        {formatTime(timeOf(now, proposed))}.
      </p>
      <Button size="sm" variant="default" loading={isPending} onClick={() => void change()}>
        Usar este fuso na agenda
      </Button>
    </ToldBox>
  );
}
