import { Button, Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { linkSettings, type LinkSettings } from '../../../../backend/modules/public-link/public-link.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { choiceOf, minutesInWords, noticeInWords } from '../../lib/choices.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { Card } from '../../ui/card.js';
import { MoneyField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import classes from './public-link.module.css';
import { usePlaces, useSaveLink } from './public-link.queries.js';

const days = (value: number) => plural(value, 'dia', 'dias');
const times = (value: number) => plural(value, 'horário', 'horários');

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

  const save = (body: LinkSettings) => saveUndoably(mutateAsync, body, before);

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
              data={choiceOf([3, 5, 7, 14, 21, 28, 45, 60], before.dias, days)}
              {...form.getInputProps('dias')}
            />
            <NativeSelect
              label="Horários por dia"
              description="Divididos entre manhã, tarde e noite."
              data={choiceOf([1, 2, 3, 4, 6, 8, 12, 24], before.por_dia, times)}
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
              data={choiceOf([30, 45, 60, 75, 90, 120], before.duracao_min, minutesInWords)}
              {...form.getInputProps('duracao_min')}
            />
            <NativeSelect
              label="Intervalo entre sessões"
              data={choiceOf([0, 5, 10, 15, 20, 30, 45, 60], before.intervalo_min, minutesInWords)}
              {...form.getInputProps('intervalo_min')}
            />
          </FieldPair>
          <NativeSelect
            label="Antecedência mínima"
            description="Vale para agendar, remarcar e cancelar pelo link."
            data={choiceOf([0, 30, 60, 120, 240, 720, 1440, 2880], before.antecedencia_min, noticeInWords)}
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
