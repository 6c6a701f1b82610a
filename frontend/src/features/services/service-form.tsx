import { NativeSelect, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import type * as z from 'zod/mini';
import type { Service } from '../../../../backend/modules/services/services.api.js';
import { colourNames } from '../../../../backend/platform/colours.api.js';
import { choiceOf, minutesInWords } from '../../lib/choices.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { LocationsField } from '../../parts/locations-field.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair, FormStack, RecordButtons, type RecordForm, submitting } from '../../ui/form.js';

interface ServiceFormProps<Schema extends z.ZodMiniType> extends RecordForm<z.output<Schema>> {
  schema: Schema;
  service?: Service;
}

export function ServiceForm<Schema extends z.ZodMiniType>(props: ServiceFormProps<Schema>) {
  const { schema, service } = props;
  const minutes = service?.duracao_min ?? 60;
  const form = useBodyForm({
    initialValues: {
      nome: service?.nome ?? '',
      duracao_min: String(minutes),
      valor: service && service.valor !== null ? formatAmount(service.valor) : '',
      usa_credito: service?.usa_credito ?? true,
      cor: service?.cor ?? 'azul',
      locais: service?.locais ?? null,
      online: service ? service.endereco !== null : false,
      endereco: service?.endereco ?? '',
      na_pagina: service?.na_pagina ?? false,
      para_alunos: service?.para_alunos ?? false,
      is_active: service?.is_active ?? true,
    },
    schema,
    toBody: ({
      nome,
      duracao_min,
      valor,
      usa_credito,
      cor,
      locais,
      online,
      endereco,
      na_pagina,
      para_alunos,
      is_active,
    }) => ({
      nome,
      duracao_min: Number(duracao_min),
      valor: amountOf(valor) ?? null,
      usa_credito,
      cor,
      locais: online ? null : locais,
      endereco: online ? endereco : null,
      na_pagina: na_pagina && !online,
      para_alunos,
      ...(service && { is_active }),
    }),
    check: ({ online, endereco }) => ({
      endereco: online && endereco.trim() === '' ? 'Informe o link da chamada' : null,
    }),
    draft: `servico.${service?.id ?? 'novo'}`,
    onlyChanges: service !== undefined,
  });
  const { usa_credito, online, na_pagina, valor } = form.values;

  return (
    <FormStack form={form} onSubmit={submitting(form, props)}>
      <TextInput
        label="Nome *"
        placeholder="Ex.: Avaliação"
        autoComplete="off"
        maxLength={60}
        {...form.getInputProps('nome')}
      />
      <FieldPair>
        <NativeSelect
          label="Duração"
          data={choiceOf([15, 30, 45, 60, 75, 90, 120, 180], minutes, minutesInWords)}
          {...form.getInputProps('duracao_min')}
        />
        <MoneyField label="Valor avulso" {...form.getInputProps('valor')} />
      </FieldPair>
      <Switch
        label="Desconta 1 crédito"
        description={
          usa_credito
            ? 'Sem crédito, a sessão fica a cobrar pelo valor avulso ou, sem ele, pelo do plano.'
            : 'A sessão fica a cobrar pelo valor avulso; sem valor, é grátis.'
        }
        {...form.getInputProps('usa_credito', { type: 'checkbox' })}
      />
      <NativeSelect
        label="Cor"
        leftSection={<ColourDot colour={form.values.cor} />}
        data={Object.entries(colourNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('cor')}
      />
      <Switch
        label="Online"
        description="Sem local: o aluno recebe o link da chamada. Não aparece no link público."
        {...form.getInputProps('online', { type: 'checkbox' })}
      />
      {online ? (
        <TextInput
          label="Link da chamada *"
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
          maxLength={500}
          {...form.getInputProps('endereco')}
        />
      ) : (
        <LocationsField none="Você ainda não tem locais." {...form.getInputProps('locais')} />
      )}
      {!online && (
        <Switch
          label="No link público"
          description={
            na_pagina && valor.trim() === ''
              ? 'Sem valor avulso, a página não diz preço nem pede pagamento ou taxa de falta.'
              : 'Visitantes escolhem entre os serviços que aparecem lá, com o valor avulso.'
          }
          {...form.getInputProps('na_pagina', { type: 'checkbox' })}
        />
      )}
      <Switch
        label="Para alunos"
        description="Alunos escolhem este serviço ao agendar."
        {...form.getInputProps('para_alunos', { type: 'checkbox' })}
      />
      {service && (
        <Switch
          label="Ativo"
          description="Serviços inativos não aparecem em novos agendamentos."
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
      )}
      <RecordButtons {...props} busy={form.submitting} />
    </FormStack>
  );
}
