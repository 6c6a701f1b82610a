import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { daysLater } from '../availability/free-times.js';
import { activeStudent, student } from '../students/student.js';
import { loadSession } from './agenda.commands.js';
import { refuseOverlap } from './session.loads.js';
import { isPermitted, refuseClosed } from './session.times.js';
import { decideBook, session, single } from './session.js';
import type { WeekCopy } from './week-copy.api.js';

const WEEK_DAYS = 7;

/** Books sessions again at the same times of the clocks a week later, those of a group as a group: all or none. */
export const CopyWeek = defineCommand('CopyWeek', async (tx, { session_ids, mesmo_assim }: WeekCopy) => {
  const { timezone } = tx.context;
  const sources = await Promise.all(session_ids.map((id) => loadSession(tx, id)));
  const students = await Promise.all(sources.map(({ student_id }) => tx.load(student, student_id)));
  for (const who of students) activeStudent(who);
  const later = (at: string) => new Date(daysLater(Date.parse(at), WEEK_DAYS, timezone)).toISOString();

  const groups = new Map<string, string>();
  const made: string[] = [];
  for (const { session_id: source, student_id, inicio, fim, location_id, grupo_id } of sources) {
    const hour = `${grupo_id} ${inicio}`;
    const period = { inicio: later(inicio), fim: later(fim) };
    const permitir_conflito = isPermitted(tx, { permitir_conflito: mesmo_assim.includes(source) });
    const isFirst = grupo_id === null || !groups.has(hour);
    if (isFirst) {
      await refuseOverlap(tx, period, permitir_conflito);
      await refuseClosed(tx, period, permitir_conflito);
    }
    if (grupo_id !== null && isFirst) groups.set(hour, randomUUID());
    const session_id = randomUUID();
    const belonging = { ...single, grupo_id: groups.get(hour) ?? null };
    const booking = { session_id, student_id, ...period, location_id, observacoes: null };
    tx.append(session, session_id, decideBook({ ...booking, ...belonging, permitir_conflito, timezone }));
    made.push(session_id);
  }
  return { session_ids: made };
});
