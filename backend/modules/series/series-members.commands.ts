import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { MOST_IN_HOUR } from '../agenda/groups.api.js';
import { loadBusy } from '../agenda/session-times.loads.js';
import { decideBook, decideGroup, type KnownSession, session } from '../sessions/session.js';
import { activeStudent, student } from '../students/student.js';
import { datesOf, stretchesFrom, termsOn } from './pattern.js';
import { hourId, loadScope, matesOf, type Scope, sharesHour } from './series.loads.js';
import type { SeriesMembers } from './series.api.js';
import { withRules } from './series.times.js';
import { type Occurrence, type RuledStretch, series, type Skipped } from './series.js';

/**
 * Adds students to the hours of a series from a session on, or to all future ones. Each student gets their own series, which
 * shares the hours of this one, so that each is continued, ended and settled separately.
 */
export const JoinSeries = defineCommand(
  'JoinSeries',
  async (tx, sessionId: string, { escopo, student_ids }: SeriesMembers) => {
    const scope = await loadScope(tx, sessionId, escopo);
    const { state, sessions, desde } = scope;
    const [mates, ...who] = await Promise.all([
      matesOf(tx, sessions),
      ...student_ids.map((id) => tx.load(student, id)),
    ]);
    for (const one of who) activeStudent(one);
    const isHere = (student_id: string) => student_ids.includes(student_id);
    if (isHere(state.student_id) || mates.some((one) => one.serie_id !== null && isHere(one.student_id)))
      throw new Problem('agenda.already_in_group');

    const turma_id = state.turma_id ?? randomUUID();
    if (state.turma_id === null) {
      const { series_id, student_id } = state;
      tx.append(series, series_id, [{ type: 'SeriesJoined', data: { series_id, student_id, turma_id } }]);
    }
    const mudanca_id = randomUUID();
    const { dias, intervalo, ate } = state;
    const pattern = { dias, intervalo, inicio: desde, ate };
    const trechos = withRules(pattern, stretchesFrom(state.trechos, desde), tx.context.timezone);
    const hours = { ...scope, mates, turma_id, trechos, mudanca_id, puladas: [] };
    const { ids, sessoes } = await shareHours(tx, hours, student_ids);
    return { id: ids[0]!, mudanca_id, sessoes, puladas: 0 };
  },
);

interface Hours extends Pick<Scope, 'state' | 'sessions' | 'desde'> {
  /** Sessions of other students in these hours. */
  mates: readonly KnownSession[];
  turma_id: string;
  /** The hours, in the terms of the new series. */
  trechos: RuledStretch[];
  mudanca_id: string;
  puladas: Skipped[];
}

/** Starts a series at these hours for each of the students. Returns the series, and the number of booked sessions. */
export async function shareHours(
  tx: CommandTransaction,
  { state, sessions, desde, mates, turma_id, trechos, mudanca_id, puladas }: Hours,
  student_ids: readonly string[],
): Promise<{ ids: string[]; sessoes: number }> {
  const { timezone } = tx.context;
  const [first, last] = [sessions.at(0)!, sessions.at(-1)!];
  const busy = await loadBusy(tx, Date.parse(first.inicio), Date.parse(last.fim));
  const hours = sessions.map((one) => {
    const present = [one, ...mates.filter((mate) => sharesHour(mate, one))];
    if (present.length + student_ids.length > MOST_IN_HOUR) throw new Problem('agenda.group_full');
    const own = new Set([one, ...mates.filter((mate) => mate.grupo_id === one.grupo_id)].map(idOf));
    const [from, to] = [Date.parse(one.inicio), Date.parse(one.fim)];
    // Another session that the trainer allowed at the same time stays.
    const isShared = busy.some(([id, start, end]) => !own.has(id) && start < to && end > from);
    const grupo_id = one.grupo_id ?? hourId(turma_id, one.ocorrencia);
    return { one, grupo_id, isShared, present: new Set(present.map(({ student_id }) => student_id)) };
  });
  for (const { one, grupo_id } of hours) tx.append(session, one.session_id, decideGroup(one, grupo_id));

  const { dias, intervalo, ate, preenchida_ate } = state;
  const pattern = { dias, intervalo, inicio: desde, ate };
  const vezes = state.vezes === null || ate === null ? null : datesOf(state, desde, ate).length;
  const ids = student_ids.map(() => randomUUID());
  let booked = 0;
  for (const [at, student_id] of student_ids.entries()) {
    const series_id = ids[at]!;
    const sessoes: Occurrence[] = [];
    for (const { one, grupo_id, isShared, present } of hours) {
      if (present.has(student_id)) continue;
      const session_id = randomUUID();
      const { inicio, fim, location_id, ocorrencia, servico } = one;
      const { observacoes } = termsOn(trechos, ocorrencia);
      const about = { session_id, student_id, inicio, fim, location_id, observacoes, servico, timezone };
      const belonging = { serie_id: series_id, ocorrencia, grupo_id, permitir_conflito: isShared };
      tx.append(session, session_id, decideBook({ ...about, ...belonging }));
      sessoes.push({ data: ocorrencia, session_id });
    }
    const about = { series_id, student_id };
    const filled = { preenchida_ate, sessoes, puladas };
    const data = { ...about, mudanca_id, ...pattern, trechos, ...filled, vezes, timezone };
    tx.append(series, series_id, [
      { type: 'SeriesStarted', data },
      { type: 'SeriesJoined', data: { ...about, turma_id } },
    ]);
    booked += sessoes.length;
  }
  return { ids, sessoes: booked };
}

const idOf = ({ session_id }: { session_id: string }) => session_id;
