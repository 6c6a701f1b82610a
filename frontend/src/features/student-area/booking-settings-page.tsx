import { NativeSelect, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import {
  type BookingSettings,
  bookingSettings,
} from '../../../../backend/modules/student-area/student-booking.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSend } from '../../lib/command.js';
import { choiceOf, minutesInWords, noticeInWords } from '../../lib/choices.js';
import { useBodyForm } from '../../lib/form.js';
import { reads } from '../../lib/topics.js';
import { LengthField } from '../../parts/length-field.js';
import { Card } from '../../ui/card.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Page } from '../../ui/page.js';
import { saveUndoably } from '../../ui/save-undoably.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './student-area.module.css';

const BOOKING = reads('student-booking', []);

/** Settings of bookings by students. */
export default function BookingSettingsPage() {
  const settings = useAnswer([BOOKING], 'GET /settings/student-booking');
  return (
    <Page
      title="Agendamento de alunos"
      subtitle="O que alunos com conta agendam direto"
      back="/ajustes"
      width="narrow"
    >
      <Async of={settings} skeleton={<Skeletons count={1} height={360} />}>
        {(before) => <BookingForm before={before} />}
      </Async>
    </Page>
  );
}

function BookingForm({ before }: { before: BookingSettings }) {
  const { mutateAsync } = useSend('PUT /settings/student-booking');
  const form = useBodyForm({
    initialValues: {
      ativo: before.ativo,
      exige_credito: before.exige_credito,
      dias: String(before.dias),
      duracao_min: String(before.duracao_min),
      intervalo_min: String(before.intervalo_min),
      antecedencia_min: String(before.antecedencia_min),
      abertas: String(before.abertas),
    },
    schema: bookingSettings,
    toBody: ({ ativo, exige_credito, ...numbers }): unknown => ({
      ativo,
      exige_credito,
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
    }),
  });
  const save = (body: BookingSettings) => saveUndoably(mutateAsync, body, before);
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <Card className={classes.request}>
        <Switch
          label="Alunos podem agendar"
          description="Só em horários livres. Cada sessão aparece na sua agenda na hora."
          {...form.getInputProps('ativo', { type: 'checkbox' })}
        />
        <Switch
          label="Só com crédito livre"
          description="Sem crédito para mais uma sessão, o aluno não consegue agendar."
          {...form.getInputProps('exige_credito', { type: 'checkbox' })}
        />
        <FieldPair>
          <NativeSelect
            label="Dias à frente"
            data={choiceOf([3, 5, 7, 14, 21, 28, 45, 60], before.dias, (value) =>
              plural(value, 'dia', 'dias'),
            )}
            {...form.getInputProps('dias')}
          />
          <NativeSelect
            label="Sessões agendadas por aluno, no máximo"
            data={choiceOf([1, 2, 3, 4, 6, 8, 12], before.abertas, (value) =>
              plural(value, 'sessão', 'sessões'),
            )}
            {...form.getInputProps('abertas')}
          />
        </FieldPair>
        <FieldPair>
          <LengthField saved={before.duracao_min} by="para_alunos" {...form.getInputProps('duracao_min')} />
          <NativeSelect
            label="Intervalo entre sessões"
            data={choiceOf([0, 5, 10, 15, 30, 45, 60], before.intervalo_min, minutesInWords)}
            {...form.getInputProps('intervalo_min')}
          />
        </FieldPair>
        <NativeSelect
          label="Antecedência mínima"
          data={choiceOf([0, 60, 120, 240, 720, 1440, 2880], before.antecedencia_min, noticeInWords)}
          {...form.getInputProps('antecedencia_min')}
        />
      </Card>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}
