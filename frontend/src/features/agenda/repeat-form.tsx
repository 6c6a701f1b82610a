import type { SessionChanges } from '../../../../backend/modules/agenda/agenda.api.js';
import { addDays, dayOf, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { useSessionSending } from './conflict.js';
import type { ShownSession } from './pending-session.js';
import { TimesForm, useTimesForm } from './times-form.js';
import { useBookings } from './use-bookings.js';

interface RepeatFormProps {
  session: ShownSession;
  onDone: () => void;
  onBack: () => void;
}

/** Books the same hour again for all its students, by default a week later. */
export function RepeatForm({ session, onDone, onBack }: RepeatFormProps) {
  const zone = useZone();
  const { bookOne, bookGroup } = useBookings();
  const form = useTimesForm(session, {
    data: addDays(dayOf(session.inicio, zone), 7),
    inicio: timeOf(session.inicio, zone),
    fim: timeOf(session.fim, zone),
  });

  const send = async ({ inicio, fim, permitir_conflito }: SessionChanges) => {
    if (!inicio || !fim) return;
    const { location_id, membros = [session] } = session;
    const coming = membros.filter(({ status }) => status !== 'cancelada');
    const student_ids = (coming.length > 0 ? coming : membros).map(({ student_id }) => student_id);
    const [student_id = session.student_id, ...others] = student_ids;
    const booking = { inicio, fim, location_id, ...(permitir_conflito && { permitir_conflito }) };
    await (others.length > 0 ? bookGroup({ ...booking, student_ids }) : bookOne({ ...booking, student_id }));
    onDone();
  };
  const sending = useSessionSending(form, { send, failure: 'Erro ao criar agendamento' });

  return <TimesForm form={form} sending={sending} submit="Agendar" onBack={onBack} />;
}
