import { ActionIcon, Button, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import {
  newHoliday,
  type Holiday,
  type NewHoliday,
} from '../../../../backend/modules/holidays/holidays.api.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { addDays, formatDate, formatWeekday, parseDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { useHolidays, useRemoveHoliday } from './availability.queries.js';
import { wrongDay } from './clock.js';

const kinds = {
  nacional: 'Nacional',
  facultativo: 'Ponto facultativo',
  proprio: 'Seu feriado',
} as const;
const YEAR_DAYS = 365;

/** The holidays of the next year, each with a switch, together with the trainer's own ones. */
export default function HolidaysPage() {
  const today = useToday();
  const holidays = useHolidays(today, addDays(today, YEAR_DAYS));
  return (
    <Page
      title="Feriados"
      back="/ajustes"
      width="narrow"
      subtitle="Aparecem na agenda. Alunos e visitantes ainda podem agendar: se não for atender, feche o dia em Ajustes, Horários."
    >
      <Section title="Próximos 12 meses">
        <Async of={holidays} skeleton={<Skeletons count={6} />}>
          {({ items }) => (
            <Card flush>
              {items.map((holiday) => (
                <HolidayRow key={`${holiday.id} ${holiday.data}`} holiday={holiday} />
              ))}
            </Card>
          )}
        </Async>
      </Section>
      <Section title="Adicionar feriado">
        <NewHolidayForm />
      </Section>
    </Page>
  );
}

function HolidayRow({ holiday: { id, nome, data, tipo, ativo } }: { holiday: Holiday }) {
  const change = useSendTo('PUT /holidays/:id');
  const removal = useRemoveHoliday();
  const restoration = useSendTo('POST /holidays/:id/restore');
  const remove = () =>
    attempt(async () => {
      await removal.mutateAsync(id);
      toast.success('Feriado removido', {
        description: nome,
        ...takenBack(() => restoration.mutateAsync(id), 'Remoção desfeita'),
      });
    }, 'Erro ao remover');
  const turn = (wanted: boolean) =>
    attempt(async () => {
      await change.mutateAsync({ id, ativo: wanted });
      toast.success(wanted ? 'Feriado ativado' : 'Feriado desativado', {
        description: nome,
        undo: () => attempt(() => change.mutateAsync({ id, ativo: !wanted }), 'Erro ao desfazer'),
        undone: wanted ? 'Ativação desfeita' : 'Desativação desfeita',
      });
    }, 'Erro ao salvar');
  return (
    <Row
      title={nome}
      facts={`${formatWeekday(data)}, ${formatDate(data)} · ${kinds[tipo]}`}
      muted={!ativo}
      actions={
        <>
          {tipo === 'proprio' && (
            <ActionIcon aria-label={`Remover ${nome}`} onClick={() => void remove()}>
              <Icon name="trash" />
            </ActionIcon>
          )}
          <Switch
            aria-label={`${nome}, ${formatDate(data)}`}
            checked={ativo}
            onChange={(event) => {
              void turn(event.currentTarget.checked);
            }}
          />
        </>
      }
    />
  );
}

function NewHolidayForm() {
  const add = useSend('POST /holidays');
  const removal = useRemoveHoliday();
  const form = useBodyForm({
    initialValues: { nome: '', data: '', anual: true },
    schema: newHoliday,
    toBody: ({ data, ...rest }) => ({ ...rest, data: parseDate(data) }),
    check: ({ data }) => ({ data: wrongDay(data) }),
    draft: 'feriado',
  });
  const save = async (holiday: NewHoliday) => {
    const { id } = await add.mutateAsync(holiday);
    form.discard();
    toast.success('Feriado adicionado', {
      description: holiday.nome,
      ...takenBack(() => removal.mutateAsync(id), 'Inclusão desfeita'),
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <TextInput label="Nome" {...form.getInputProps('nome')} />
      <DateField label="Data" {...form.getInputProps('data')} />
      <Switch label="Todo ano" {...form.getInputProps('anual', { type: 'checkbox' })} />
      <Button type="submit" loading={form.submitting}>
        Adicionar
      </Button>
    </FormStack>
  );
}
