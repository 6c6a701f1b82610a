import { ActionIcon, Button, NativeSelect, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import {
  newWeek,
  newWeekRow,
  type Availability,
  type NewWeek,
} from '../../../../backend/modules/availability/availability.api.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf, messageOf } from '../../lib/problem.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { TimeField } from '../../ui/time-field.js';
import { attempt, toast } from '../../ui/toast.js';
import { useAvailability, useSaveWeek } from './availability.queries.js';
import classes from './availability.module.css';
import { clockOf } from './clock.js';
import { Exceptions } from './exceptions.js';

const weekdays = ['Domingo', 'Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado'];
const dayChoices = weekdays.map((label, value) => ({ value: String(value), label }));

export default function WeekPanel({ onDone }: { onDone: () => void }) {
  const availability = useAvailability();
  return (
    <Async of={availability} skeleton={<Skeletons count={3} height={120} />}>
      {(known) => (
        <div className={classes.panel}>
          {/* After a change in another window the form restarts, because edits of the old version would be refused. */}
          <WeekForm key={known.versao} known={known} onDone={onDone} />
          <Exceptions exceptions={known.excecoes} />
        </div>
      )}
    </Async>
  );
}

function WeekForm({ known: { horarios, versao }, onDone }: { known: Availability; onDone: () => void }) {
  const { mutateAsync } = useSaveWeek();
  const form = useBodyForm({
    initialValues: { horarios: horarios.map((row) => ({ ...row, day_of_week: String(row.day_of_week) })) },
    schema: newWeek,
    toBody: ({ horarios: rows }) => ({
      horarios: rows.map((row) => ({
        ...row,
        day_of_week: Number(row.day_of_week),
        start_time: clockOf(row.start_time),
        end_time: clockOf(row.end_time),
      })),
      versao,
    }),
    // What was typed over another version would be refused.
    draft: `horarios.${versao}`,
  });

  const save = async (week: NewWeek) => {
    const saved = await mutateAsync(week);
    onDone();
    toast.success('Horários salvos', {
      description: 'Suas configurações foram atualizadas com sucesso.',
      undo: () => attempt(() => mutateAsync({ horarios, versao: saved.versao }), 'Erro ao desfazer'),
      undone: 'Alteração desfeita',
    });
  };

  const rows = form.values.horarios;
  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save,
        failure: 'Erro ao salvar',
        says: (error) => (codeOf(error) === 'availability.changed' ? messageOf(error) : undefined),
      })}
    >
      {rows.length === 0 && (
        <p className={classes.note}>
          Sem horários definidos, todo dia conta como disponível das 9:00 às 17:00.
        </p>
      )}
      {rows.map((_, at) => (
        <div key={at} role="group" aria-label={`Horário ${at + 1}`} className={classes.rowFields}>
          <NativeSelect label="Dia" data={dayChoices} {...form.getInputProps(`horarios.${at}.day_of_week`)} />
          <FieldPair>
            <TimeField label="Início" {...form.getInputProps(`horarios.${at}.start_time`)} />
            <TimeField label="Término" {...form.getInputProps(`horarios.${at}.end_time`)} />
          </FieldPair>
          <div className={classes.rowEnd}>
            <Switch
              label="Bloqueado"
              {...form.getInputProps(`horarios.${at}.is_blocked`, { type: 'checkbox' })}
            />
            <ActionIcon
              aria-label={`Remover horário ${at + 1}`}
              onClick={() => form.removeListItem('horarios', at)}
            >
              <Icon name="trash" />
            </ActionIcon>
          </div>
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<Icon name="plus" size={18} />}
        onClick={() =>
          form.insertListItem('horarios', { ...newWeekRow, day_of_week: String(newWeekRow.day_of_week) })
        }
      >
        Adicionar horário
      </Button>
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Salvar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
