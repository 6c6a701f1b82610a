import { Button } from '@mantine/core';
import { sessionChanges, type SessionChanges } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, timeOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { isLocal } from '../../lib/outbox.js';
import { useZone } from '../../lib/zone.js';
import { FormStack } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { Conflict, type TimeConflict, useSessionSending } from './conflict.js';
import { moveDraft, type SessionTimes, type ShownSession } from './pending-session.js';
import { sessionBody, sessionErrors, SessionTimeFields } from './session-form.js';
import { useReschedule } from './use-reschedule.js';

/** Whether a session can be moved in the calendar: what is done or cancelled stays where it was. */
export const isMovable = ({ id, status, student_nome }: ShownSession): boolean =>
  status === 'agendada' && student_nome !== null && !isLocal(id);

interface MoveFormProps {
  session: ShownSession;
  /** The times to begin with, where they are not the session's. */
  to?: SessionTimes;
  /** Why those cannot be had. */
  conflict?: TimeConflict;
  onDone: () => void;
  onBack: () => void;
}

/** Moves a session by its day and times alone. */
export function MoveForm({ session, to = session, conflict, onDone, onBack }: MoveFormProps) {
  const zone = useZone();
  const reschedule = useReschedule();
  const form = useBodyForm({
    initialValues: {
      ...{ location_id: session.location_id, observacoes: '' },
      data: dayOf(to.inicio, zone),
      inicio: timeOf(to.inicio, zone),
      fim: timeOf(to.fim, zone),
    },
    schema: sessionChanges,
    toBody: (values) => {
      const { inicio, fim } = sessionBody(values, zone);
      return { inicio, fim };
    },
    check: sessionErrors,
    // Where it was dropped is not typed.
    draft: to === session ? moveDraft(session.id) : undefined,
  });

  const send = async ({ inicio = session.inicio, fim = session.fim, permitir_conflito }: SessionChanges) => {
    const moves = inicio !== session.inicio || fim !== session.fim;
    if (moves && !(await reschedule(session, { inicio, fim }, permitir_conflito))) return;
    onDone();
  };
  const sending = useSessionSending(form, { send, failure: 'Erro ao atualizar agendamento', conflict });

  return (
    <FormStack form={form} onSubmit={sending.submit}>
      <SessionTimeFields form={form} />
      <SheetActions>
        {sending.conflict === null ? (
          <>
            <Button variant="default" onClick={onBack}>
              Voltar
            </Button>
            <Button type="submit" loading={form.submitting}>
              Remarcar
            </Button>
          </>
        ) : (
          <Conflict form={form} sending={sending} except={session.id} anyway="Agendar mesmo assim" />
        )}
      </SheetActions>
    </FormStack>
  );
}
