import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { read } from '../../lib/calls.js';
import { reads } from '../../lib/topics.js';
import { useNow, useToday, useZone } from '../../lib/zone.js';
import { bookedMessage } from '../../parts/booked-message.js';
import { useStudent } from '../../parts/students.queries.js';
import { whatsAppOf } from '../../parts/whatsapp.js';
import { Icon } from '../../ui/icon.js';

const BOOKED = reads('booked-session', ['sessions', 'locations']);

/** Tells the student of a session that a card booked, by what the session is now: the card may be older. */
export function TellBooked({ id }: { id: string }) {
  const now = useNow();
  const { data: session, isLoading } = useQuery({
    queryKey: [BOOKED, id],
    queryFn: ({ signal }) => read('GET /sessions/:id', { of: [id], signal }),
    staleTime: 0,
  });
  if (isLoading) return <Awaited />;
  const isComing = session?.status === 'agendada' && Date.parse(session.inicio) > now;
  return isComing && <TellStudent session={session} />;
}

/** The conversation scrolls to its end before the button is known. */
const Awaited = () => (
  <Button size="sm" fullWidth loading>
    Avisar
  </Button>
);

function TellStudent({ session }: { session: Session }) {
  const zone = useZone();
  const today = useToday();
  const { data: student, isLoading } = useStudent(session.student_id);
  if (isLoading) return <Awaited />;
  const first = student?.nome.split(' ')[0] ?? '';
  const href = student && whatsAppOf(student, bookedMessage(session, first, { today, zone }));
  if (!href) return null;
  return (
    <Button
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      size="sm"
      fullWidth
      leftSection={<Icon name="chat" size={18} />}
    >
      Avisar {first}
    </Button>
  );
}
