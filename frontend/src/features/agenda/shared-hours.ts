import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { Waiting } from '../../lib/outbox.js';
import type { ShownSession } from './pending-session.js';

/** Hours that several students share: each has a session, and those are shown as one. */

const firstName = (name: string | null): string => name?.split(' ')[0] ?? 'Aluno apagado';

/** "Ana e Bia", "Ana +2". */
export function sharedName(names: readonly (string | null)[]): string | null {
  const [first = null, second = null] = names;
  if (names.length < 2) return first;
  return names.length === 2
    ? `${firstName(first)} e ${firstName(second)}`
    : `${firstName(first)} +${names.length - 1}`;
}

/** What an hour is: scheduled while one of its sessions is, cancelled where all are. */
const statusOf = (sessions: readonly Session[]): Session['status'] =>
  (['agendada', 'feita'] as const).find((status) => sessions.some((one) => one.status === status)) ??
  'cancelada';

const byName = (one: Session, other: Session) =>
  (one.student_nome ?? '').localeCompare(other.student_nome ?? '') || one.id.localeCompare(other.id);

/** The sessions of one hour as one: with the id of one that has the hour's status, of a series where one is, and the names of all who come. */
export function asOne(sessions: readonly ShownSession[]): ShownSession {
  const status = statusOf(sessions);
  const membros = sessions.toSorted(byName);
  const coming = membros.filter((one) => one.status !== 'cancelada');
  const named = coming.length > 0 ? coming : membros;
  const having = membros.filter((one) => one.status === status);
  const first = having.find(({ serie_id }) => serie_id !== null) ?? having[0]!;
  return {
    ...first,
    student_nome: sharedName(named.map(({ student_nome }) => student_nome)),
    sem_credito: membros.some(({ sem_credito }) => sem_credito),
    pendente: membros.some(({ pendente }) => pendente),
    membros,
  };
}

/** Each hour once, in the place of its first session. */
export function byHour(sessions: readonly ShownSession[]): ShownSession[] {
  const hours = new Map<string, ShownSession[]>();
  for (const session of sessions) {
    const hour = session.grupo_id === null ? session.id : `${session.grupo_id} ${session.inicio}`;
    const others = hours.get(hour);
    if (others) others.push(session);
    else hours.set(hour, [session]);
  }
  return [...hours.values()].map((hour) => (hour.length > 1 ? asOne(hour) : hour[0]!));
}

/** What was done here, on each session that it reaches: a move of one takes along who is scheduled with it. */
export function reaching(writes: readonly Waiting[], sessions: readonly Session[]): Waiting[] {
  return writes.flatMap((write) => {
    if (write.makes) return [write];
    const moved = write.effect === 'move' && sessions.find(({ id }) => id === write.subject);
    const group = moved ? moved.grupo_id : write.subject;
    const isThere = ({ inicio, fim }: Session) => !moved || (inicio === moved.inicio && fim === moved.fim);
    const others = sessions.filter(
      (one) =>
        one.grupo_id !== null &&
        one.grupo_id === group &&
        one.status === 'agendada' &&
        one.id !== write.subject &&
        isThere(one),
    );
    return [write, ...others.map(({ id }) => ({ ...write, subject: id }))];
  });
}
