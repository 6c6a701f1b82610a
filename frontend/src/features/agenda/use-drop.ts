import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addMinutes, formatTime, instantOf, timeOf, type Day } from '../../lib/dates.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { refresh } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { toast } from '../../ui/toast.js';
import { conflictOf, type TimeConflict } from './conflict.js';
import type { Stretch } from './grid-layout.js';
import type { SessionTimes, ShownSession } from './pending-session.js';
import { useReschedule } from './use-reschedule.js';

/** A session that was dropped on another one. */
interface Refused {
  session: ShownSession;
  to: SessionTimes;
  conflict: TimeConflict;
}

/** Moves a session that is dropped in the calendar. If it overlaps another one, asks first. */
export function useDrop(sessions: readonly ShownSession[]) {
  const zone = useZone();
  const client = useQueryClient();
  const reschedule = useReschedule();
  const [refused, setRefused] = useState<Refused | null>(null);

  const move = async (session: ShownSession, day: Day, { start, end }: Stretch): Promise<void> => {
    const inicio = instantOf(day, addMinutes('00:00', start), zone);
    const to = { inicio, fim: new Date(Date.parse(inicio) + (end - start) * 60_000).toISOString() };
    const other = sessions.find(
      ({ id, status, ...times }) =>
        id !== session.id && status !== 'cancelada' && times.inicio < to.fim && times.fim > to.inicio,
    );
    if (other) {
      setRefused({ session, to, conflict: { message: takenBy(other, zone), free: [] } });
      return;
    }
    try {
      await reschedule(session, to);
    } catch (error) {
      if (isTimeRefusal(error)) {
        setRefused({ session, to, conflict: conflictOf(error) });
        // The overlapping session may not be loaded yet.
        void refresh(client, ['sessions']);
      } else toast.error('Erro ao atualizar agendamento', { description: messageOf(error) });
    }
  };

  return { move, refused, leave: () => setRefused(null) };
}

/** The same message as the server's. */
function takenBy({ student_nome, inicio, fim }: ShownSession, zone: string): string {
  const who = student_nome === null ? 'Já há uma sessão' : `${student_nome.split(' ')[0]} já tem sessão`;
  const [from, to] = [inicio, fim].map((at) => formatTime(timeOf(at, zone)));
  return `${who} das ${from} às ${to}. Escolha outro horário ou agende mesmo assim.`;
}
