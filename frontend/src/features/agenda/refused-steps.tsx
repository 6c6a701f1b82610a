import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import { formatMoment } from '../../lib/dates.js';
import type { Waiting } from '../../lib/outbox.js';
import { sendAgain, usePending, withdraw } from '../../lib/pending.js';
import { refresh } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { Bar, BarAction } from '../../ui/bar.js';
import { listed } from './agenda.queries.js';

const words: Record<string, string> = {
  complete: 'não foi marcada como feita',
  reopen: 'não foi reaberta',
  delete: 'não foi excluída',
};

/** What was done to sessions without a network and the server did not take: why, once more, or as it was. */
export function RefusedSteps() {
  const writes = usePending((pending) => pending.writes);
  return (
    <div role="alert">
      {writes
        .filter(({ refused }) => refused !== undefined)
        .map((write) => (
          <Refused key={write.key} write={write} />
        ))}
    </div>
  );
}

function Refused({ write }: { write: Waiting }) {
  const client = useQueryClient();
  const zone = useZone();
  const session = listed(client, write.subject)?.session;

  const again = async () => {
    await sendAgain(write);
    await refresh(client, write.topics);
  };

  return (
    <Bar icon="alert" tone="bad">
      {nameOf(session, zone)} {words[write.effect]}: {write.refused}.
      <BarAction onClick={() => void again()}>Tentar de novo</BarAction>
      <BarAction onClick={() => void withdraw(write.subject)}>Desfazer</BarAction>
    </Bar>
  );
}

const nameOf = (session: Session | undefined, zone: string): string =>
  session
    ? `A sessão de ${session.student_nome ?? 'aluno esquecido'}, ${formatMoment(session.inicio, zone)},`
    : 'Uma sessão';
