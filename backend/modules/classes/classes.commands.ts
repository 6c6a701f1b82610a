import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { loadSession } from '../agenda/agenda.commands.js';
import { membersOf } from '../agenda/session.loads.js';
import { cancelAll } from '../agenda/sessions-bulk.commands.js';
import { shareHours } from '../series/series-members.commands.js';
import { loadScope, loadSeries } from '../series/series.loads.js';
import { existingSeries, series } from '../series/series.js';
import { decideGroup, existingSession, type KnownSession, session } from '../sessions/session.js';
import type { ClassChange } from './classes.api.js';
import { classOf } from './classes.loads.js';
import { decideMinimum, decideSet, openClass } from './open-class.js';

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
  const known = existingSeries(await loadSeries(tx, weekly.serie_id!));
  if (known.turma_id !== null) return known.turma_id;
  const scope = await loadScope(tx, weekly.session_id, 'todas');
  const turma_id = randomUUID();
  const { series_id, student_id, trechos } = scope.state;
  tx.append(series, series_id, [{ type: 'SeriesJoined', data: { series_id, student_id, turma_id } }]);
  await shareHours(tx, { ...scope, mates: [], turma_id, trechos, mudanca_id: randomUUID(), puladas: [] }, []);
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

/** Decides whether the hour of a session takes place; where too few come, cancels it without cost. */
export const DecideClass = defineCommand('DecideClass', async (tx, session_id: string) => {
  const state = existingSession(await tx.load(session, session_id));
  const members = await membersOf(tx, state);
  const open = await classOf(tx, members);
  const { grupo_id, inicio } = state;
  const coming = members.filter((one) => one.status === 'agendada' && one.inicio === inicio);
  const session_ids = coming.map((one) => one.session_id);
  const [decided] = open && grupo_id ? decideMinimum(open, { grupo_id, inicio, session_ids }, tx.now) : [];
  if (!decided) return { id: session_id };
  tx.append(openClass, open!.class_id, [decided]);
  if (decided.type === 'ClassDecided' && !decided.data.acontece) await cancelAll(tx, coming);
  return { id: session_id };
});
