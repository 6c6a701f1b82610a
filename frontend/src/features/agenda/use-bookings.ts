import type { NewSession } from '../../../../backend/modules/agenda/agenda.api.js';
import type { NewGroup } from '../../../../backend/modules/agenda/groups.api.js';
import { useSend } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { unmake, WILL_BE_SENT } from '../../lib/pending.js';
import { useToday, useZone } from '../../lib/zone.js';
import { bookedMessage } from '../../parts/booked-message.js';
import { useServiceChoices } from '../../parts/service-choices.js';
import { useTell } from '../../parts/use-tell.js';
import { useStudentName } from '../../parts/students.queries.js';
import { useLocationName } from '../../parts/location-choices.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useBookSession, useDeleteSession } from './agenda.queries.js';
import { sessionTitle } from './pending-session.js';
import { type Step, useNextStep } from '../../parts/first-steps.js';

/** Books for one student or a group, with a toast and an undo. Throws refusals of the server. */
export function useBookings() {
  const zone = useZone();
  const today = useToday();
  const tell = useTell();
  const studentName = useStudentName();
  const locationName = useLocationName();
  const book = useBookSession();
  const removal = useDeleteSession();
  const group = useSend('POST /sessions/groups');
  const undoing = useSend('POST /sessions/undo-bookings');
  const next = useNextStep();
  const services = useServiceChoices();

  const said = async (
    { location_id, service_id, inicio }: Pick<NewSession, 'location_id' | 'service_id' | 'inicio'>,
    student_ids: readonly string[],
    { description, undo }: { description: string; undo: () => Promise<unknown> },
  ) => {
    const servico = services.data?.items.find(({ id }) => id === service_id);
    const booked = { inicio, location_nome: location_id ? locationName(location_id) : null, servico };
    const told = await tell(student_ids, (name) => bookedMessage(booked, name, { today, zone }));
    const step = next('agendamento');
    toast.success('Agendamento criado com sucesso!', {
      description,
      tell: step ? [...told, { label: step.title, href: afterBooking(step, student_ids) }] : told,
      ...takenBack(undo, 'Agendamento desfeito'),
    });
  };

  return {
    bookOne: async (body: NewSession): Promise<void> => {
      const { inicio } = body;
      const student_nome = studentName(body.student_id);
      const location_nome = body.location_id ? locationName(body.location_id) : null;
      const { id, queued } = await book.mutateAsync({ body, student_nome, location_nome });
      const undo = async () => {
        if (queued && (await unmake(id)).length > 0) return;
        await removal.mutateAsync({ id, title: sessionTitle({ student_nome, inicio }, zone) });
      };
      const description = queued ? WILL_BE_SENT : formatMoment(inicio, zone);
      await said(body, [body.student_id], { description, undo });
    },
    bookGroup: async (body: NewGroup): Promise<void> => {
      const { session_ids } = await group.mutateAsync(body);
      const undo = () => undoing.mutateAsync({ session_ids });
      await said(body, body.student_ids, { description: formatMoment(body.inicio, zone), undo });
    },
  };
}

/** The charge is for who was booked. */
const afterBooking = ({ step, to }: Step, [student_id]: readonly string[]) =>
  step === 'recebimento' && student_id ? `${to}&aluno=${student_id}` : to;
