import { Button, Input } from '@mantine/core';
import { Suspense, useState, useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { newBooking, type NewBooking } from '../../../../backend/modules/agenda/groups.api.js';
import { habitsOf, LATEST } from '../../../../backend/modules/agenda/habits.api.js';
import type { Service } from '../../../../backend/modules/services/services.api.js';
import { addDays, addMinutes, type Day, type Time, parseTime } from '../../lib/dates.js';
import { useBodyForm, type BodyForm } from '../../lib/form.js';
import { useTimeNow, useToday, useZone } from '../../lib/zone.js';
import { useServiceChoices } from '../../parts/service-choices.js';
import { StudentsField } from '../../parts/students-field.js';
import type { ChoicesFieldProps, QuickForm } from '../../ui/choice.js';
import { ChoiceChip, ChoiceChips, ColourDot } from '../../ui/choice-chip.js';
import { FormStack, tellMissing } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { read } from '../../lib/calls.js';
import { useWeekOf } from './agenda.queries.js';
import { useBookingSeries } from './booking-series.js';
import { Conflict, useSessionSending } from './conflict.js';
import { useShut } from './free-times.queries.js';
import { freeHours, isLate, proposedHour } from './hours.js';
import { bookingDraft } from './pending-session.js';
import { once, type Repetition } from './repetition.js';
import { INCOMPLETE, sessionBody, sessionErrors, SessionFields, type SessionValues } from './session-form.js';
import { useBookings } from './use-bookings.js';
import { SESSIONS } from './session-reads.js';

interface BookingSheetProps {
  opened: boolean;
  day: Day;
  /** The time that was tapped in the calendar, if any. */
  time: string | null;
  /** The student to be booked, if already known. */
  studentId: string | null;
  onClose: () => void;
  /** Forms that create a missing student or location. */
  NewStudent: QuickForm;
  NewLocation: QuickForm;
}

/** A form that is shown instead of the booking, to create a student or location. */
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

/** Proposes the day's next free hour: for today from now on, for other days from the morning on; late in the evening the next day's. */
function Planned({
  time,
  day: asked,
  ...others
}: Omit<BookingFormProps, 'start' | 'draft'> & { time: string | null }) {
  const zone = useZone();
  const today = useToday();
  const now = useTimeNow();
  const day = asked === today && !time && isLate(now) ? addDays(today, 1) : asked;
  const props = { ...others, day };
  const sessions = useWeekOf(props.day);
  const shut = useShut(props.day);
  const propose = (items: Session[]): Time => {
    const earliest = props.day === today ? now : MORNING;
    return proposedHour(freeHours(items, props.day, zone, earliest, shut), earliest);
  };
  // The proposed day and time change with the clock, and must not be part of the draft's name.
  const draft = bookingDraft(asked, time ?? props.studentId);
  if (time) return <BookingForm start={time} draft={draft} {...props} />;
  // Offline, the week may not be loaded, but booking is still possible.
  const isCut = sessions.data === undefined && sessions.fetchStatus === 'paused';
  return (
    <Async of={isCut ? { ...sessions, data: [] } : sessions} skeleton={<Skeletons count={4} height={72} />}>
      {(items) => <BookingForm start={propose(items)} draft={draft} {...props} />}
    </Async>
  );
}

interface BookingValues extends SessionValues {
  student_ids: string[];
  /** Null: a session without a service. */
  service_id: string | null;
  repeticao: Repetition;
}

type ChosenProps = Pick<ChoicesFieldProps, 'value' | 'onChange' | 'error' | 'data-path'>;

interface BookingFormProps {
  day: Day;
  start: Time;
  /** Key of the draft. */
  draft: string;
  studentId: string | null;
  onDone: () => void;
  /** Another form is shown instead; this one keeps its values. */
  isAway: boolean;
  onAside: (aside: Aside) => void;
}

function BookingForm({ day, start, draft, studentId, onDone, isAway, onAside }: BookingFormProps) {
  const zone = useZone();
  const initialValues: BookingValues = {
    student_ids: studentId === null ? [] : [studentId],
    data: day,
    inicio: start,
    fim: addMinutes(start, 60),
    location_id: null,
    service_id: null,
    observacoes: '',
    repeticao: once,
  };
  const services = useServiceChoices();
  const offered = services.data?.items ?? [];
  const isOnline = (service_id: string | null) =>
    Boolean(offered.find(({ id }) => id === service_id)?.endereco);
  const form = useBodyForm({
    initialValues,
    schema: newBooking,
    toBody: (values) => ({
      ...sessionBody(values, zone),
      ...(isOnline(values.service_id) && { location_id: null }),
      student_ids: values.student_ids,
      service_id: values.service_id,
    }),
    check: (values) => ({
      ...sessionErrors(values),
      ...(values.student_ids.length === 0 && { student_ids: 'Escolha o aluno' }),
    }),
    draft,
  });

  const isFilling = useUsual(form, services.isLoading ? undefined : offered);

  const { bookOne, bookGroup } = useBookings();
  const send = async ({ student_ids, ...body }: NewBooking) => {
    const [student_id, ...others] = student_ids;
    if (student_id === undefined) return;
    await (others.length > 0 ? bookGroup({ ...body, student_ids }) : bookOne({ ...body, student_id }));
    onDone();
  };

  const sending = useSessionSending(form, {
    send,
    failure: 'Erro ao criar agendamento',
    missing: INCOMPLETE,
  });
  const series = useBookingSeries({
    day: form.values.data,
    repetition: form.values.repeticao,
    onChange: (repetition) => form.setFieldValue('repeticao', repetition),
    onDone: () => {
      form.finish();
      onDone();
    },
  });

  return (
    <>
      {series.panel}
      <FormStack
        form={form}
        {...((isAway || series.panel) && { style: { display: 'none' } })}
        onSubmit={(event) => {
          if (series.repeats) form.submit(series.review, (labels) => tellMissing(labels, INCOMPLETE))(event);
          else sending.submit(event);
        }}
      >
        <SessionFields
          form={form}
          isOnline={isOnline(form.values.service_id)}
          student={
            <>
              <StudentsField
                label="Aluno"
                onNew={(nome) =>
                  onAside({
                    what: 'aluno',
                    nome,
                    onMade: (id) => form.setFieldValue('student_ids', (chosen) => [...chosen, id]),
                  })
                }
                {...(form.getInputProps('student_ids') as ChosenProps)}
              />
              <ServiceField
                services={offered}
                value={form.values.service_id}
                onChoose={(service) => chooseService(form, service)}
                error={form.errors.service_id}
              />
            </>
          }
          onNewLocation={() =>
            onAside({ what: 'local', nome: '', onMade: (id) => form.setFieldValue('location_id', id) })
          }
        >
          {series.fields}
        </SessionFields>
        <SheetActions>
          {sending.conflict === null ? (
            <Button type="submit" loading={form.submitting || isFilling}>
              {series.repeats ? 'Ver sessões' : 'Agendar'}
            </Button>
          ) : (
            <Conflict form={form} sending={sending} anyway="Agendar mesmo assim" />
          )}
        </SheetActions>
      </FormStack>
    </>
  );
}

type Chosen = SessionValues & { service_id: string | null };

/** Fills in what a service says of a session; without one, it is an hour. */
function chooseService<Values extends Chosen, Body>(of: BodyForm<Values, Body>, service: Service | null) {
  const form = of as unknown as BodyForm<Chosen, Body>;
  const { inicio, location_id } = form.getValues();
  form.setFieldValue('service_id', service?.id ?? null);
  const start = parseTime(inicio);
  if (start) form.setFieldValue('fim', addMinutes(start, service?.duracao_min ?? 60));
  const { locais = null, endereco = null } = service ?? {};
  const [only = null, ...others] = locais ?? [];
  if (endereco !== null) form.setFieldValue('location_id', null);
  else if (locais && !locais.includes(location_id ?? ''))
    form.setFieldValue('location_id', others.length > 0 ? null : only);
}

interface ServiceFieldProps {
  services: readonly Service[];
  value: string | null;
  onChoose: (service: Service | null) => void;
  error: ReactNode;
}

/** Chooses what is booked; nothing to choose where a trainer has no services. */
function ServiceField({ services, value, onChoose, error }: ServiceFieldProps) {
  if (services.length === 0) return null;
  return (
    <Input.Wrapper label="Serviço" labelElement="div" error={error}>
      <ChoiceChips label="Serviço">
        {[null, ...services].map((service) => (
          <ChoiceChip
            key={service?.id ?? 'nenhum'}
            aria-pressed={value === (service?.id ?? null)}
            onClick={() => onChoose(service)}
          >
            {service && <ColourDot colour={service.cor} />} {service?.nome ?? 'Sessão'}
          </ChoiceChip>
        ))}
      </ChoiceChips>
    </Input.Wrapper>
  );
}

/**
 * Fills a booking with the usual service, place and length of its first student, unless others were chosen. `services`: those
 * that can be booked; undefined until they are read. Returns whether it is about to, so that nothing is booked without them.
 */
function useUsual<Body>(
  form: BodyForm<BookingValues, Body>,
  services: readonly Service[] | undefined,
): boolean {
  const { student_ids, service_id, location_id, inicio, fim } = form.values;
  const [studentId] = student_ids;
  const {
    data: usual,
    isLoading,
    failureCount,
  } = useQuery({
    queryKey: [SESSIONS, 'usual', studentId],
    queryFn: ({ signal }) =>
      read('GET /sessions', {
        query: { student_id: studentId, ordem: 'recentes', limit: LATEST },
        signal,
      }),
    select: ({ items }) => habitsOf(items),
    enabled: studentId !== undefined && !form.isRestored,
  });
  /** What the form had before anybody chose. */
  const untouched = useRef({ service_id, location_id, fim });
  const fill = useEffectEvent((habits: NonNullable<typeof usual>) => {
    const before = untouched.current;
    if (location_id === before.location_id) form.setFieldValue('location_id', habits.location_id);
    before.location_id = habits.location_id;
    // With a service, its length was chosen too.
    if (service_id !== before.service_id) return;
    before.service_id = services?.find(({ id }) => id === habits.service_id)?.id ?? null;
    form.setFieldValue('service_id', before.service_id);
    const start = parseTime(inicio);
    if (!start || habits.minutes === null || fim !== before.fim) return;
    before.fim = addMinutes(start, habits.minutes);
    form.setFieldValue('fim', before.fim);
  });
  const isReady = services !== undefined;
  useEffect(() => {
    if (usual && isReady) fill(usual);
  }, [usual, isReady]);
  return (isLoading && failureCount === 0) || (usual !== undefined && !isReady);
}
