import { Button } from '@mantine/core';
import { useState } from 'react';
import { newSession, type NewSession, type Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { addMinutes, formatMoment, timeOf, todayIn, type Day, type Time } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { useZone } from '../../lib/zone.js';
import type { ChoiceField } from '../../ui/choice.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useBookSession, useDeleteSession, useSessions } from './agenda.queries.js';
import { Conflict } from './conflict.js';
import { freeHours } from './hours.js';
import { isIncomplete, sessionBody, SessionFields } from './session-form.js';

interface BookingSheetProps {
  opened: boolean;
  day: Day;
  /** Where a tap in the calendar asked for it. */
  time: string | null;
  onClose: () => void;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
}

export function BookingSheet({ opened, onClose, ...props }: BookingSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Novo agendamento">
      <Planned onDone={onClose} {...props} />
    </Sheet>
  );
}

const MORNING: Time = '07:00';

/** Proposes the day's next free hour: of today what is still to come, of another day from the morning on. */
function Planned({ time, ...props }: Omit<BookingSheetProps, 'opened' | 'onClose'> & { onDone: () => void }) {
  const zone = useZone();
  const sessions = useSessions(props.day, props.day);
  const propose = (items: Session[]): Time => {
    const earliest = props.day === todayIn(zone) ? timeOf(new Date(), zone) : MORNING;
    return freeHours(items, props.day, zone, earliest)[0] ?? MORNING;
  };
  // The proposal moves on with the clock; what was typed is found again all the same.
  const draft = `agendamento.${props.day}.${time ?? 'livre'}`;
  if (time) return <BookingForm start={time} draft={draft} {...props} />;
  return (
    <Async of={sessions} skeleton={<Skeletons count={4} height={72} />}>
      {(items) => <BookingForm start={propose(items)} draft={draft} {...props} />}
    </Async>
  );
}

interface BookingFormProps {
  day: Day;
  start: Time;
  /** Name under which what was typed is kept. */
  draft: string;
  onDone: () => void;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
}

function BookingForm({ day, start, draft, onDone, StudentField, LocationField }: BookingFormProps) {
  const zone = useZone();
  const [conflict, setConflict] = useState<string | null>(null);
  const book = useBookSession();
  const removal = useDeleteSession();
  const form = useBodyForm({
    initialValues: {
      student_id: null,
      data: day,
      inicio: start,
      fim: addMinutes(start, 60),
      location_id: null,
      observacoes: '',
    },
    schema: newSession,
    toBody: (values) => sessionBody(values, zone),
    draft,
  });

  const send = async (body: NewSession) => {
    const { id } = await book.mutateAsync(body);
    onDone();
    toast.success('Agendamento criado com sucesso!', {
      description: formatMoment(body.inicio, zone),
      undo: () => void attempt(() => removal.mutateAsync(id), 'Erro ao desfazer'),
    });
  };

  const save = async (body: NewSession) => {
    setConflict(null);
    try {
      await send(body);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'agenda.overlap')) throw error;
      setConflict(messageOf(error));
    }
  };

  const submit = submitting(form, { save, failure: 'Erro ao criar agendamento' });
  const submitAnyway = submitting(form, {
    save: (body) => send({ ...body, permitir_conflito: true }),
    failure: 'Erro ao criar agendamento',
  });

  return (
    <FormStack
      form={form}
      onSubmit={(event) => {
        if (isIncomplete(form.values))
          toast.error('Campos obrigatórios', { description: 'Preencha aluno, data e horários.' });
        submit(event);
      }}
    >
      <SessionFields form={form} StudentField={StudentField} LocationField={LocationField} />
      <SheetActions>
        {conflict === null ? (
          <Button type="submit" loading={form.submitting}>
            Agendar
          </Button>
        ) : (
          <Conflict
            message={conflict}
            busy={form.submitting}
            onAnyway={() => submitAnyway()}
            label="Agendar mesmo assim"
          />
        )}
      </SheetActions>
    </FormStack>
  );
}
