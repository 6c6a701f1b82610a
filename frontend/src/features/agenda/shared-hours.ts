import type { Session } from '../../../../backend/modules/agenda/agenda.api.js';
import type { OneHour } from '../../../../backend/modules/agenda/groups.api.js';
import { firstName } from '../../../../backend/platform/first-name.api.js';
import type { Waiting } from '../../lib/outbox.js';
import type { ShownSession } from './pending-session.js';

/** Shared hours: each student has a session, and these are shown as one. */

export const calledBy = (name: string | null): string => (name === null ? 'Aluno apagado' : firstName(name));

/** "Ana e Bia", "Ana +2". */
export function sharedName(names: readonly (string | null)[]): string | null {
  const [first = null, second = null] = names;
  if (names.length < 2) return first;
  return names.length === 2
    ? `${calledBy(first)} e ${calledBy(second)}`
    : `${calledBy(first)} +${names.length - 1}`;
}

/** Status of an hour: scheduled while one of its sessions is, cancelled if all are. */
const statusOf = (sessions: readonly Session[]): Session['status'] =>
  (['agendada', 'feita'] as const).find((status) => sessions.some((one) => one.status === status)) ??
  'cancelada';

const byName = (one: Session, other: Session) =>
  (one.student_nome ?? '').localeCompare(other.student_nome ?? '') || one.id.localeCompare(other.id);

/** Joins the sessions of an hour: with the id of one that has the hour's status, a series if one has it, and all names, or the seats of a class. */
export function asOne(sessions: readonly ShownSession[]): ShownSession {
  const status = statusOf(sessions);
  const membros = sessions.toSorted(byName);
  const coming = membros.filter((one) => one.status !== 'cancelada');
  const named = coming.length > 0 ? coming : membros;
  const having = membros.filter((one) => one.status === status);
  const first = having.find(({ serie_id }) => serie_id !== null) ?? having[0]!;
  const { turma } = first;
  return {
    ...first,
    student_nome: turma
      ? `${turma.nome} · ${coming.length}/${turma.vagas}`
      : sharedName(named.map(({ student_nome }) => student_nome)),
    sem_credito: membros.some(({ sem_credito }) => sem_credito),
    pendente: membros.some(({ pendente }) => pendente),
    membros,
  };
}

/** Whether the sessions of an hour are shown as one: where there are several, or students may enter it. */
export const isShared = (hour: readonly Session[]): boolean => hour.length > 1 || Boolean(hour[0]?.turma);

/** The sessions with shared hours joined, at the place of their first session. */
export function byHour(sessions: readonly ShownSession[]): ShownSession[] {
  const hours = new Map<string, ShownSession[]>();
  for (const session of sessions) {
    const hour = session.grupo_id === null ? session.id : `${session.grupo_id} ${session.inicio}`;
    const others = hours.get(hour);
    if (others) others.push(session);
    else hours.set(hour, [session]);
  }
  return [...hours.values()].map((hour) => (isShared(hour) ? asOne(hour) : hour[0]!));
}

/**
 * The changes in the outbox for every session that they affect: moving one session moves all scheduled ones of its hour, and what
 * is about a group is about its scheduled ones of an hour.
 */
export function reaching(writes: readonly Waiting[], sessions: readonly Session[]): Waiting[] {
  return writes.flatMap((write) => {
    if (write.makes) return [write];
    const moved = write.effect === 'move' && sessions.find(({ id }) => id === write.subject);
    const group = moved ? moved.grupo_id : write.subject;
    const isThere = ({ inicio, fim }: Session) =>
      moved ? inicio === moved.inicio && fim === moved.fim : inicio === (write.body as OneHour).inicio;
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

/** The students who are to come to an hour. */
export const studentsOf = ({ student_id, membros }: ShownSession): string[] =>
  membros?.filter(({ status }) => status === 'agendada').map((one) => one.student_id) ?? [student_id];
