import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { newSession, type NewSession, type Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { addMinutes, formatMoment, type Day, type Time } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { unmake, WILL_BE_SENT } from '../../lib/pending.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import type { ChoiceField, QuickForm } from '../../ui/choice.js';
import { FormStack } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { useBookSession, useDeleteSession, useWeekOf } from './agenda.queries.js';
import { Conflict, useSessionSending } from './conflict.js';
import { freeHours } from './hours.js';
import { bookingDraft, sessionTitle } from './pending-session.js';
import {
  isIncomplete,
  sessionBody,
  sessionErrors,
  SessionFields,
  type SessionValues,
} from './session-form.js';

interface BookingSheetProps {
  opened: boolean;
  day: Day;
  /** Where a tap in the calendar asked for it. */
  time: string | null;
  onClose: () => void;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
  /** Register what cannot be chosen yet. */
  NewStudent: QuickForm;
  NewLocation: QuickForm;
  /** Names by id, where they are known. */
  names: Names;
}

export interface Names {
  student: (id: string) => string | null;
  location: (id: string) => string | null;
}

/** What is registered meanwhile, in the place of the booking. */
interface Aside {
  what: 'aluno' | 'local';
  nome: string;
  onMade: (id: string) => void;
}

const asideTitles = { aluno: 'Novo aluno', local: 'Novo local' };

export function BookingSheet({ opened, onClose, NewStudent, NewLocation, ...props }: BookingSheetProps) {
  const [aside, setAside] = useState<Aside | null>(null);
  const leave = () => {
    setAside(null);
    onClose();
  };
  const back = () => setAside(null);
  const New = aside?.what === 'local' ? NewLocation : NewStudent;
  return (
    <Sheet
      opened={opened}
      onClose={leave}
      title={aside ? asideTitles[aside.what] : 'Novo agendamento'}
      beginsAtField="typed"
    >
      {aside && (
        <Suspense fallback={<Skeletons count={3} height={72} />}>
          <New
            nome={aside.nome}
            onBack={back}
            onDone={(id) => {
              aside.onMade(id);
              back();
            }}
          />
        </Suspense>
      )}
      <Planned onDone={leave} isAway={aside !== null} onAside={setAside} {...props} />
    </Sheet>
  );
}

const MORNING: Time = '07:00';

/** Proposes the day's next free hour: of today what is still to come, of another day from the morning on. */
function Planned({ time, ...props }: Omit<BookingFormProps, 'start' | 'draft'> & { time: string | null }) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const sessions = useWeekOf(props.day);
  const propose = (items: Session[]): Time => {
    const earliest = props.day === today ? now : MORNING;
    return freeHours(items, props.day, zone, earliest)[0] ?? MORNING;
  };
  // The proposal moves on with the clock; what was typed is found again all the same.
  const draft = bookingDraft(props.day, time);
  if (time) return <BookingForm start={time} draft={draft} {...props} />;
  // Without a network a week may not be there: it can be booked in all the same.
  const isCut = sessions.data === undefined && sessions.fetchStatus === 'paused';
  return (
    <Async of={isCut ? { ...sessions, data: [] } : sessions} skeleton={<Skeletons count={4} height={72} />}>
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
  /** Something is registered in its place: what was typed stays. */
  isAway: boolean;
  onAside: (aside: Aside) => void;
  StudentField: ChoiceField;
  LocationField: ChoiceField;
  names: Names;
}

function BookingForm({ day, start, draft, onDone, isAway, onAside, names, ...fields }: BookingFormProps) {
  const zone = useZone();
  const book = useBookSession();
  const removal = useDeleteSession();
  const initialValues: SessionValues = {
    student_id: null,
    data: day,
    inicio: start,
    fim: addMinutes(start, 60),
    location_id: null,
    observacoes: '',
  };
  const form = useBodyForm({
    initialValues,
    schema: newSession,
    toBody: (values) => sessionBody(values, zone),
    check: sessionErrors,
    draft,
  });

  const send = async (body: NewSession) => {
    const student_nome = names.student(body.student_id);
    const location_nome = body.location_id ? names.location(body.location_id) : null;
    const { id, queued } = await book.mutateAsync({ body, student_nome, location_nome });
    onDone();
    const undo = async () => {
      if (queued && (await unmake(id)).length > 0) return;
      await removal.mutateAsync({ id, title: sessionTitle({ student_nome, inicio: body.inicio }, zone) });
    };
    toast.success('Agendamento criado com sucesso!', {
      description: queued ? WILL_BE_SENT : formatMoment(body.inicio, zone),
      undo: () => attempt(undo, 'Erro ao desfazer'),
      undone: 'Agendamento desfeito',
    });
  };

  const sending = useSessionSending(form, { send, failure: 'Erro ao criar agendamento' });

  return (
    <FormStack
      form={form}
      {...(isAway && { style: { display: 'none' } })}
      onSubmit={(event) => {
        if (isIncomplete(form.values))
          toast.error('Campos obrigatórios', { description: 'Preencha aluno, data e horários.' });
        sending.submit(event);
      }}
    >
      <SessionFields
        form={form}
        onNewStudent={(nome) =>
          onAside({ what: 'aluno', nome, onMade: (id) => form.setFieldValue('student_id', id) })
        }
        onNewLocation={() =>
          onAside({ what: 'local', nome: '', onMade: (id) => form.setFieldValue('location_id', id) })
        }
        {...fields}
      />
      <SheetActions>
        {sending.conflict === null ? (
          <Button type="submit" loading={form.submitting}>
            Agendar
          </Button>
        ) : (
          <Conflict form={form} sending={sending} anyway="Agendar mesmo assim" />
        )}
      </SheetActions>
    </FormStack>
  );
}
