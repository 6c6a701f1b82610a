import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { daysLater } from '../../platform/local-time.js';
import { activeStudent, student } from '../students/student.js';
import { loadSession } from './agenda.commands.js';
import { refuseOverlap } from './session.loads.js';
import { isPermitted, loadBusy, refuseClosed } from './session-times.loads.js';
import { decideBook, type KnownSession, session, single } from '../sessions/session.js';
import type { WeekCopy } from './week-copy.api.js';

const WEEK_DAYS = 7;

const hourOf = ({ grupo_id, session_id, inicio }: KnownSession) => `${grupo_id ?? session_id} ${inicio}`;
const meets = (one: KnownSession, other: KnownSession) => one.inicio < other.fim && other.inicio < one.fim;

/** Books sessions again a week later at the same local times, groups as groups: all of them or none. */
export const CopyWeek = defineCommand('CopyWeek', async (tx, { session_ids, mesmo_assim }: WeekCopy) => {
  const { timezone } = tx.context;
  const sources = await Promise.all(session_ids.map((id) => loadSession(tx, id)));
  const students = await Promise.all(sources.map(({ student_id }) => tx.load(student, student_id)));
  for (const who of students) activeStudent(who);
  const later = (at: string) => new Date(daysLater(Date.parse(at), WEEK_DAYS, timezone)).toISOString();

  /** Sessions that overlap each other may overlap in the copy too. */
  const isShared = (one: KnownSession) =>
    sources.some((other) => hourOf(other) !== hourOf(one) && meets(one, other));

  const groups = new Map<string, string>();
  const made: string[] = [];
  for (const source of sources) {
    const { student_id, inicio, fim, location_id, grupo_id, servico } = source;
    const hour = hourOf(source);
    const period = { inicio: later(inicio), fim: later(fim) };
    const isWanted = isPermitted(tx, { permitir_conflito: mesmo_assim.includes(source.session_id) });
    const isFirst = grupo_id === null || !groups.has(hour);
    if (isFirst) {
      await refuseOverlap(tx, { ...period, location_id }, isWanted);
      await refuseClosed(tx, { ...period, location_id }, isWanted);
    }
    const isKept = !isWanted && isShared(source);
    // The guard permits the overlap with other copied sessions; this check refuses one with any other session.
    if (isKept && (await loadBusy(tx, Date.parse(period.inicio), Date.parse(period.fim))).length > 0)
      throw new Problem('agenda.overlap');
    if (grupo_id !== null && isFirst) groups.set(hour, randomUUID());
    const session_id = randomUUID();
    const belonging = { ...single, grupo_id: groups.get(hour) ?? null };
    const booking = { session_id, student_id, ...period, location_id, observacoes: null, servico };
    const permitir_conflito = isWanted || isKept;
    tx.append(session, session_id, decideBook({ ...booking, ...belonging, permitir_conflito, timezone }));
    made.push(session_id);
  }
  return { session_ids: made };
});
