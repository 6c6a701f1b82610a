import { Button, Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { linkSettings, type LinkSettings } from '../../../../backend/modules/public-link/public-link.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { Card } from '../../ui/card.js';
import { MoneyField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { takenBack, toast } from '../../ui/toast.js';
import classes from './public-link.module.css';
import { usePlaces, useSaveLink } from './public-link.queries.js';

const minutes = (value: number) => {
  if (value === 0) return 'Nenhum';
  if (value < 60 || value % 60 !== 0) return `${value} min`;
  return value < 1440 ? plural(value / 60, 'hora', 'horas') : plural(value / 1440, 'dia', 'dias');
};
const notice = (value: number) => (value === 0 ? 'Nenhuma' : minutes(value));
const days = (value: number) => plural(value, 'dia', 'dias');
const times = (value: number) => plural(value, 'horário', 'horários');

/** Includes the saved value, which may not be among the usual ones. */
const choices = (values: readonly number[], saved: number, words: (value: number) => string) =>
  [...new Set([...values, saved])]
    .sort((one, other) => one - other)
    .map((value) => ({ value: String(value), label: words(value) }));

interface LinkFormProps {
  before: LinkSettings;
  /** Value of the field: the saved number, or the trainer's own until settings are saved. */
  whatsapp: string | null;
  /** Whether settings are saved. */
  salvo: boolean;
  /** The number of the trainer's account, proposed while the field is empty. */
  own: string | null;
}

/** Settings for what visitors can see and book. */
export function LinkForm({ before, whatsapp: proposed, salvo, own }: LinkFormProps) {
  const { mutateAsync } = useSaveLink();
  const places = usePlaces().data?.items.filter(({ is_active }) => is_active) ?? [];
  const form = useBodyForm({
    initialValues: {
      ...{ ativo: before.ativo, indexavel: before.indexavel, texto: before.texto ?? '' },
      cref: before.cref ?? '',
      primeira_aula: before.primeira_aula === null ? '' : formatAmount(before.primeira_aula),
      ver_todos: before.ver_todos,
      ...{ dias: String(before.dias), duracao_min: String(before.duracao_min) },
      ...{ intervalo_min: String(before.intervalo_min), por_dia: String(before.por_dia) },
      antecedencia_min: String(before.antecedencia_min),
      todos: before.locais === null,
      locais: before.locais ?? [],
      whatsapp: maskPhone(proposed ?? ''),
    },
    schema: linkSettings,
    toBody: ({
      todos,
      locais,
      texto,
      cref,
      primeira_aula,
      whatsapp,
      ativo,
      indexavel,
      ver_todos,
      ...numbers
    }) => ({
      ...{ ativo, indexavel, ver_todos },
      dias: Number(numbers.dias),
      duracao_min: Number(numbers.duracao_min),
      intervalo_min: Number(numbers.intervalo_min),
      por_dia: Number(numbers.por_dia),
      antecedencia_min: Number(numbers.antecedencia_min),
      locais: todos ? null : locais,
      texto: texto.trim() || null,
      cref: cref.trim() || null,
      primeira_aula: amountOf(primeira_aula) ?? null,
      whatsapp: whatsapp.trim() || null,
    }),
    draft: 'link-publico',
  });
  const { todos, locais } = form.values;

  const save = async (body: LinkSettings) => {
    await mutateAsync(body);
    toast.success(
      'Configurações salvas',
      takenBack(() => mutateAsync({ ...before, se_ainda: body })),
    );
  };

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <Section title="O que o visitante vê">
        <Card fields>
          <Switch
            label="Link ativo"
            description="Desativado, o link diz que você pausou os agendamentos e mostra seu WhatsApp."
            {...form.getInputProps('ativo', { type: 'checkbox' })}
          />
          <Textarea
            label="Apresentação (opcional)"
            autosize
            minRows={2}
            maxLength={300}
            {...form.getInputProps('texto')}
          />
          <FieldPair>
            <TextInput
              label="CREF (opcional)"
              placeholder="000000-G/SP"
              maxLength={25}
              autoComplete="off"
              {...form.getInputProps('cref')}
            />
            <MoneyField
              label="Primeira aula (opcional)"
              description="Com 0, a página diz que é grátis."
              {...form.getInputProps('primeira_aula')}
            />
          </FieldPair>
          <PhoneField
            label="WhatsApp (opcional)"
            description={
              salvo
                ? 'Quem agendou pode falar com você por ele.'
                : 'Quem agendou pode falar com você por ele. Até você salvar, vale o telefone da sua conta.'
            }
            {...form.getInputProps('whatsapp')}
          />
          {own && !form.values.whatsapp && (
            <Button
              size="sm"
              variant="default"
              onClick={() => form.setFieldValue('whatsapp', maskPhone(own))}
            >
              Usar {maskPhone(own)}
            </Button>
          )}
          <Switch
            label="Aparecer em buscadores"
            description="O Google e outros podem listar a sua página."
            {...form.getInputProps('indexavel', { type: 'checkbox' })}
          />
        </Card>
      </Section>
      <Section title="Horários">
        <Card fields>
          <FieldPair>
            <NativeSelect
              label="Dias à frente"
              data={choices([3, 5, 7, 14, 21, 28, 45, 60], before.dias, days)}
              {...form.getInputProps('dias')}
            />
            <NativeSelect
              label="Horários por dia"
              description="Divididos entre manhã, tarde e noite."
              data={choices([1, 2, 3, 4, 6, 8, 12, 24], before.por_dia, times)}
              {...form.getInputProps('por_dia')}
            />
          </FieldPair>
          <Switch
            label="Botão “Ver todos”"
            description="Quem agenda pode abrir todos os seus horários livres."
            {...form.getInputProps('ver_todos', { type: 'checkbox' })}
          />
          <FieldPair>
            <NativeSelect
              label="Duração da sessão"
              data={choices([30, 45, 60, 75, 90, 120], before.duracao_min, minutes)}
              {...form.getInputProps('duracao_min')}
            />
            <NativeSelect
              label="Intervalo entre sessões"
              data={choices([0, 5, 10, 15, 20, 30, 45, 60], before.intervalo_min, minutes)}
              {...form.getInputProps('intervalo_min')}
            />
          </FieldPair>
          <NativeSelect
            label="Antecedência mínima"
            description="Vale para agendar, remarcar e cancelar pelo link."
            data={choices([0, 30, 60, 120, 240, 720, 1440, 2880], before.antecedencia_min, notice)}
            {...form.getInputProps('antecedencia_min')}
          />
        </Card>
      </Section>
      <Section title="Locais">
        <Card fields>
          <Switch label="Todos os locais ativos" {...form.getInputProps('todos', { type: 'checkbox' })} />
          {!todos &&
            places.map(({ id, nome }) => (
              <Checkbox
                key={id}
                label={nome}
                checked={locais.includes(id)}
                onChange={({ currentTarget }) =>
                  form.setFieldValue(
                    'locais',
                    currentTarget.checked ? [...locais, id] : locais.filter((each) => each !== id),
                  )
                }
              />
            ))}
          {places.length === 0 && (
            <p className={classes.note}>Cadastre um local para que possam agendar com você.</p>
          )}
        </Card>
      </Section>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}
