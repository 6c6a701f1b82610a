import type { SessionChanges } from '../../../../backend/modules/agenda/agenda.api.js';
import { dayOf, timeOf } from '../../lib/dates.js';
import { isLocal } from '../../lib/outbox.js';
import { useZone } from '../../lib/zone.js';
import { type TimeConflict, useSessionSending } from './conflict.js';
import { moveDraft, type SessionTimes, type ShownSession } from './pending-session.js';
import { TimesForm, useTimesForm } from './times-form.js';
import { useReschedule } from './use-reschedule.js';

/** Whether a session can be moved in the calendar: only a scheduled one. */
export const isMovable = ({ id, status, student_nome }: ShownSession): boolean =>
  status === 'agendada' && student_nome !== null && !isLocal(id);

interface MoveFormProps {
  session: ShownSession;
  /** Initial times; default: the session's. */
  to?: SessionTimes;
  /** The conflict of these times. */
  conflict?: TimeConflict;
  onDone: () => void;
  onBack: () => void;
}

/** Form that changes only a session's day and times. */
export function MoveForm({ session, to = session, conflict, onDone, onBack }: MoveFormProps) {
  const zone = useZone();
  const reschedule = useReschedule();
  const form = useTimesForm(
    session,
    { data: dayOf(to.inicio, zone), inicio: timeOf(to.inicio, zone), fim: timeOf(to.fim, zone) },
    // No draft for times that come from dragging.
    to === session ? moveDraft(session.id) : undefined,
  );

  const send = async ({ inicio = session.inicio, fim = session.fim, permitir_conflito }: SessionChanges) => {
    const moves = inicio !== session.inicio || fim !== session.fim;
    if (moves && !(await reschedule(session, { inicio, fim }, permitir_conflito))) return;
    onDone();
  };
  const sending = useSessionSending(form, { send, failure: 'Erro ao atualizar agendamento', conflict });

  return <TimesForm form={form} sending={sending} except={session.id} submit="Remarcar" onBack={onBack} />;
}
