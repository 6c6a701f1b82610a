import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { loadSession } from '../agenda/agenda.commands.js';
import { membersOf } from '../agenda/session.loads.js';
import { cancelAll } from '../agenda/sessions-bulk.commands.js';
import { isPausedOn, studentPause } from '../away/student-pause.js';
import { heldUntil } from '../public-link/held-until.js';
import { publicLink } from '../public-link/public-link.js';
import { hourId, loadScope } from '../series/series.loads.js';
import { series } from '../series/series.js';
import { decideGroup, type KnownSession, occupies, session } from '../sessions/session.js';
import { student } from '../students/student.js';
import type { ClassChange } from './classes.api.js';
import { classOf } from './classes.loads.js';
import { decideMinimum, decideSet, isInTime, openClass } from './open-class.js';
import { decideQueue, seatQueue } from './seat-queue.js';

/** The group of a session's hour, which becomes a group of one where it was none. */
function hourOf(tx: CommandTransaction, state: KnownSession): string {
  const grupo_id = state.grupo_id ?? randomUUID();
  tx.append(session, state.session_id, decideGroup(state, grupo_id));
  return grupo_id;
}

/** What all weekly hours have in common: they become groups where they were none. */
async function weeklyOf(tx: CommandTransaction, state: KnownSession): Promise<string> {
  const members = state.serie_id === null ? await membersOf(tx, state) : [state];
  const weekly = members.find(({ serie_id, inicio }) => serie_id !== null && inicio === state.inicio);
  if (!weekly) throw new Problem('classes.not_weekly');
  const scope = await loadScope(tx, weekly.session_id, 'todas');
  const { series_id, student_id } = scope.state;
  const turma_id = scope.state.turma_id ?? randomUUID();
  if (scope.state.turma_id === null)
    tx.append(series, series_id, [{ type: 'SeriesJoined', data: { series_id, student_id, turma_id } }]);
  for (const one of scope.sessions)
    tx.append(session, one.session_id, decideGroup(one, one.grupo_id ?? hourId(turma_id, one.ocorrencia)));
  return turma_id;
}

/** Opens an hour, or all weekly ones, for students, changes what counts for it, or closes it. */
export const SetClass = defineCommand(
  'SetClass',
  async (tx, session_id: string, { escopo, se_ainda, ...wanted }: ClassChange) => {
    const state = await loadSession(tx, session_id);
    if (Date.parse(state.inicio) <= tx.now.getTime()) throw new Problem('classes.over');
    const class_id = escopo === 'todas' ? await weeklyOf(tx, state) : hourOf(tx, state);
    const about = { class_id, session_id, em: tx.now.toISOString(), se_ainda };
    tx.append(openClass, class_id, decideSet(await tx.load(openClass, class_id), wanted, about));
    return { id: class_id };
  },
);

/** What is due in an hour: whether it takes place with so few, and whose turn it is in its queue. */
export const PlayClass = defineCommand('PlayClass', async (tx, grupo_id: string, inicio: string) => {
  await decideHour(tx, grupo_id, inicio);
  await playQueue(tx, grupo_id);
  return { id: grupo_id };
});

const lastMove = defineLookUp<{ moved: Date | null }, [streams: string[]]>(
  `select max(e.recorded_at) as moved from ${storedEvents({ SessionRescheduled: [1] })} e
  where e.tenant_id = $1 and e.stream_id = any($2::text[])`,
);

async function decideHour(tx: CommandTransaction, grupo_id: string, inicio: string): Promise<void> {
  const members = await membersOf(tx, { grupo_id });
  const open = await classOf(tx, members);
  if (!open) return;
  const coming = members.filter((one) => one.status === 'agendada' && one.inicio === inicio);
  const session_ids = coming.map((one) => one.session_id);
  const [move] = await tx.lookUp(
    lastMove,
    session_ids.map((id) => `session:${id}`),
  );
  const hour = { grupo_id, inicio, session_ids, moved: move?.moved ?? null };
  const decided = decideMinimum(open, hour, tx.now);
  tx.append(openClass, open.class_id, decided);
  for (const { data } of decided)
    if (!data.acontece) await cancelAll(tx, coming, { sem_minimo: data.minimo });
}

async function playQueue(tx: CommandTransaction, grupo_id: string): Promise<void> {
  const [queue, members] = await Promise.all([tx.load(seatQueue, grupo_id), membersOf(tx, { grupo_id })]);
  const { inicio, fila } = queue;
  if (inicio === null || fila.length === 0) return;
  const open = await classOf(tx, members);
  const { timezone, tenantId } = tx.context;
  const [{ bloqueados }, ...people] = await Promise.all([
    tx.load(publicLink, tenantId),
    ...fila.map(async ({ student_id }) => ({
      who: await tx.load(student, student_id),
      pause: await tx.load(studentPause, student_id),
    })),
  ]);
  const present = members.filter((one) => occupies(one) && one.inicio === inicio);
  const gone = new Map<string, 'aluno' | 'entrou'>();
  for (const [at, { student_id }] of fila.entries()) {
    const { who, pause } = people[at]!;
    const isActive = who.status === 'active' && who.nome !== null;
    // As `BookSeat` would refuse them.
    const isRefused = bloqueados.includes(student_id) || isPausedOn(pause, dateOf(inicio, timezone));
    if (!isActive || isRefused) gone.set(student_id, 'aluno');
    else if (present.some((one) => one.student_id === student_id)) gone.set(student_id, 'entrou');
  }
  const isOpen = open && present.length > 0 && isInTime(open, { inicio }, tx.now);
  const round = {
    grupo_id,
    now: tx.now,
    gone,
    free: isOpen ? open.vagas - present.length : null,
    until: heldUntil(Date.parse(inicio), tx.now.getTime(), timezone, (open?.ate_horas ?? 0) * 60),
  };
  tx.append(seatQueue, grupo_id, decideQueue(queue, round));
}
