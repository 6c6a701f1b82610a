import { Button, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import {
  exceptionRows,
  type DateException,
  type DayRow,
  type ExceptionRows,
} from '../../../../backend/modules/availability/availability.api.js';
import { formatDay, formatTime, parseDate } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useToday } from '../../lib/zone.js';
import { DateField } from '../../ui/date-field.js';
import { Card } from '../../ui/card.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { TimeField } from '../../ui/time-field.js';
import { attempt, toast } from '../../ui/toast.js';
import { useSaveException } from './availability.queries.js';
import { clockOf, wrongDay } from './clock.js';

const stretch = ({ start_time, end_time, is_blocked }: DayRow) =>
  `${is_blocked ? 'Bloqueado' : 'Aberto'} das ${formatTime(start_time)} às ${formatTime(end_time)}`;

/** Exceptions from the week by date, such as an open Saturday or a closed afternoon. */
export function Exceptions({ exceptions }: { exceptions: readonly DateException[] }) {
  const today = useToday();
  const save = useSaveException();
  const remove = ({ data, horarios }: DateException) =>
    attempt(async () => {
      await save.mutateAsync({ data, horarios: [], se_ainda: horarios });
      toast.success('Exceção removida', {
        undo: () => attempt(() => save.mutateAsync({ data, horarios, se_ainda: [] }), 'Erro ao desfazer'),
        undone: 'Remoção desfeita',
      });
    }, 'Erro ao remover');

  return (
    <Section title="Exceções por data">
      {exceptions.length > 0 && (
        <Card flush>
          {exceptions.map((exception) => (
            <Row
              key={exception.data}
              title={formatDay(exception.data, today)}
              facts={exception.horarios.map(stretch).join(' · ')}
              actions={
                <Button size="sm" variant="subtle" onClick={() => void remove(exception)}>
                  Remover
                </Button>
              }
            />
          ))}
        </Card>
      )}
      <NewException exceptions={exceptions} />
    </Section>
  );
}

const rowOf = ({ inicio, fim, tipo }: { inicio: string; fim: string; tipo: string }): DayRow => ({
  start_time: clockOf(inicio),
  end_time: clockOf(fim),
  is_blocked: tipo === 'bloqueado',
});

function NewException({ exceptions }: { exceptions: readonly DateException[] }) {
  const { mutateAsync } = useSaveException();
  const today = useToday();
  const rowsOf = (data: string) => exceptions.find((exception) => exception.data === data)?.horarios ?? [];
  const form = useBodyForm({
    initialValues: { data: '', inicio: '08:00', fim: '12:00', tipo: 'aberto' },
    schema: exceptionRows,
    toBody: ({ data, ...typed }) => ({ horarios: [...rowsOf(parseDate(data) ?? ''), rowOf(typed)] }),
    // The new row is the last of its day: show the schema's errors for it at this form's fields.
    check: ({ data, ...typed }) => {
      const rows = [...rowsOf(parseDate(data) ?? ''), rowOf(typed)];
      const issues = exceptionRows.safeParse({ horarios: rows }).error?.issues ?? [];
      const said = (field: keyof DayRow) =>
        issues.find(({ path }) => path[1] === rows.length - 1 && path[2] === field)?.message ?? null;
      return {
        data: wrongDay(data),
        inicio: said('start_time'),
        fim: said('end_time'),
      };
    },
    draft: 'excecao',
  });
  const send = async ({ horarios }: ExceptionRows) => {
    const data = parseDate(form.getValues().data) ?? today;
    const before = rowsOf(data);
    await mutateAsync({ data, horarios, se_ainda: before });
    form.discard();
    toast.success('Exceção salva', {
      description: formatDay(data, today),
      undo: () =>
        attempt(() => mutateAsync({ data, horarios: before, se_ainda: horarios }), 'Erro ao desfazer'),
      undone: 'Exceção desfeita',
    });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save: send, failure: 'Erro ao salvar' })}>
      <DateField label="Data" {...form.getInputProps('data')} />
      <SegmentedControl
        aria-label="Nesta data"
        data={[
          { value: 'aberto', label: 'Aberto' },
          { value: 'bloqueado', label: 'Bloqueado' },
        ]}
        {...form.getInputProps('tipo')}
      />
      <FieldPair>
        <TimeField label="Início" {...form.getInputProps('inicio')} />
        <TimeField label="Término" {...form.getInputProps('fim')} />
      </FieldPair>
      <Button type="submit" variant="default" loading={form.submitting}>
        Adicionar exceção
      </Button>
    </FormStack>
  );
}
