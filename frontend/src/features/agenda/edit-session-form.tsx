import { Button, NativeSelect } from '@mantine/core';
import {
  sessionChanges,
  type Session,
  type SessionChanges,
  type SessionOutcome,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, parseDate, timeOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { queuedNote, withdraw } from '../../lib/pending.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { useToday, useZone } from '../../lib/zone.js';
import { StudentField } from '../../parts/student-field.js';
import { useLocationName } from '../../parts/location-choices.js';
import { useStudentName } from '../../parts/students.queries.js';
import { bookedMessage } from '../../parts/booked-message.js';
import { useTell } from '../../parts/use-tell.js';
import { FormStack } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { useChangeSession } from './agenda.queries.js';
import { Conflict, useSessionSending } from './conflict.js';
import { sessionDraft } from './pending-session.js';
import { INCOMPLETE, sessionBody, sessionErrors, SessionFields } from './session-form.js';
import { movedMessage, sessionMessage } from './session-message.js';
import { statuses } from './session-status.js';
import { announcedChange, doneChange, formerOf, isOwed } from './status-change.js';
import { useStudentParts } from './student-parts.js';
import { type Outcome, useSeriesChange } from './use-series-change.js';

interface EditSessionFormProps {
  session: Session;
  onDone: () => void;
}

const NOT_HELD = 'Só dá para marcar como feita a partir do dia da sessão';

export function EditSessionForm({ session, onDone }: EditSessionFormProps) {
  const zone = useZone();
  const today = useToday();
  const { SessionCharge } = useStudentParts();
  const studentName = useStudentName();
  const locationName = useLocationName();
  const tell = useTell();
  const { mutateAsync } = useChangeSession(session);
  const withSeries = useSeriesChange();
  const form = useBodyForm({
    initialValues: {
      student_id: session.student_id,
      data: dayOf(session.inicio, zone),
      inicio: timeOf(session.inicio, zone),
      fim: timeOf(session.fim, zone),
      location_id: session.location_id,
      observacoes: session.observacoes ?? '',
      status: session.status,
    },
    schema: sessionChanges,
    toBody: (values) => ({
      ...sessionBody(values, zone),
      student_id: values.student_id,
      status: values.status,
    }),
    check: (values) => {
      // A session of a day to come has not been held.
      const isAhead = (parseDate(values.data) ?? today) > today;
      return {
        ...sessionErrors(values),
        ...(values.status === 'feita' && isAhead && { status: NOT_HELD }),
      };
    },
    draft: sessionDraft(session.id),
    onlyChanges: true,
  });

  /** Changes the series, without student and status, which each session has for itself. */
  const changeSeries = async (body: SessionChanges): Promise<Outcome> => {
    const {
      student_id,
      status,
      permitir_conflito,
      motivo: _,
      confirmado: __,
      cancelamento: ___,
      ...shared
    } = body;
    if (student_id || status || Object.keys(shared).length === 0) return 'alone';
    const change = { ...shared, ...(permitir_conflito && { impedidas: 'mudar' as const }) };
    return withSeries(session, 'Alterar', 'change', change);
  };

  /** The old time may meanwhile be taken: the refusal then offers to share it. */
  const takeBack = async (former: SessionChanges, shared = false): Promise<boolean> => {
    try {
      await mutateAsync({ changes: { ...former, ...(shared && { permitir_conflito: true }) } });
      return true;
    } catch (error) {
      const again = () => void takeBack(former, true);
      toast.error('Erro ao desfazer', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && { action: { label: 'Agendar mesmo assim', onClick: again } }),
      });
      return false;
    }
  };

  /** Who should know of these changes. */
  const tellOf = async (body: SessionChanges) => {
    const { inicio = session.inicio, fim = session.fim, location_id = session.location_id } = body;
    const location_nome = location_id && locationName(location_id);
    const now = { today, zone };
    const cancelled = { ...session, status: 'cancelada' as const, motivo: null };
    const cancelledTo = (id: string) => tell([id], (name) => sessionMessage(cancelled, name, now));
    if (body.student_id)
      return [
        ...(await tell([body.student_id], (name) =>
          bookedMessage({ ...session, inicio, location_nome }, name, now),
        )),
        ...(await cancelledTo(session.student_id)),
      ];
    if (body.status === 'cancelada') return cancelledTo(session.student_id);
    const isMoved = body.inicio ?? body.fim ?? body.location_id;
    if (!isMoved || session.status !== 'agendada') return [];
    const to = { inicio, fim, ...(body.location_id && { location_nome }) };
    return tell([session.student_id], (name) => movedMessage(session, to, name, now));
  };

  const send = async (body: SessionChanges) => {
    const outcome = await changeSeries(body);
    if (outcome === 'nothing') return;
    if (outcome === 'done') return onDone();
    if (Object.keys(body).length > 0) {
      const { student_id, location_id } = body;
      const answer = await mutateAsync({
        changes: body,
        shows: {
          inicio: body.inicio ?? session.inicio,
          ...(student_id && { student_nome: studentName(student_id) }),
          ...(location_id !== undefined && { location_nome: location_id && locationName(location_id) }),
        },
      });
      const note = queuedNote(answer);
      const undo = async () =>
        (note !== undefined && (await withdraw(session.id))) || takeBack(formerOf(session, body));
      toast.success('Agendamento atualizado com sucesso!', {
        description: note ?? doneChange(session, answer as SessionOutcome),
        tell: await tellOf(body),
        undo,
        undone: 'Alteração desfeita',
      });
    }
    onDone();
  };

  const sending = useSessionSending(form, {
    send,
    failure: 'Erro ao atualizar agendamento',
    missing: INCOMPLETE,
  });

  return (
    <FormStack form={form} onSubmit={sending.submit}>
      <SessionFields
        form={form}
        isOnline={session.location_id === null && Boolean(session.servico?.endereco)}
        student={<StudentField label="Aluno" {...form.getInputProps('student_id')} />}
      >
        <NativeSelect
          label="Status"
          description={<span role="status">{announcedChange(session, form.values.status)}</span>}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={Object.entries(statuses).map(([value, { label }]) => ({ value, label }))}
          {...form.getInputProps('status')}
        />
        {isOwed(session) &&
          (form.values.status !== session.status || form.values.student_id !== session.student_id) && (
            <SessionCharge session={session} />
          )}
      </SessionFields>
      <SheetActions>
        {sending.conflict === null ? (
          <>
            <Button variant="default" onClick={onDone}>
              Voltar
            </Button>
            <Button type="submit" loading={form.submitting}>
              Salvar
            </Button>
          </>
        ) : (
          <Conflict form={form} sending={sending} except={session.id} anyway="Salvar mesmo assim" />
        )}
      </SheetActions>
    </FormStack>
  );
}
