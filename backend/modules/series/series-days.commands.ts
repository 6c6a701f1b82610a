import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import { loadSession, remove } from '../agenda/agenda.commands.js';
import { sessionsById } from '../agenda/sessions-bulk.commands.js';
import type { Obstacle } from '../agenda/obstacles.api.js';
import { datesOf, daysAfter, daysChangedFrom, lastFrom, type Stretch, termsOn } from './pattern.js';
import { MOST_SESSIONS, type SeriesChanges } from './series.api.js';
import { timesTaken } from './series-changes.commands.js';
import { bookDates, loadScopes, type Scope } from './series.loads.js';
import { timesOn, withRules } from './series.times.js';
import { type KnownSeries, series } from './series.js';

/**
 * Changes the days of the week of a series from a session on, or of all future ones: sessions of unchanged days stay, those of
 * other days are removed, those of new days are booked. The series of students who share the hour change too.
 */
export const ChangeSeriesDays = defineCommand(
  'ChangeSeriesDays',
  async (tx, sessionId: string, { escopo, dias, impedidas }: DaysChange) => {
    const scopes = await loadScopes(tx, sessionId, escopo);
    const zone = tx.context.timezone;
    const plans = await Promise.all(scopes.map((scope) => planned(tx, scope, dias)));
    const all = plans.flatMap(({ excluidas }) => excluidas);
    for (const id of all) await remove(tx, await loadSession(tx, id));

    const mudanca_id = randomUUID();
    const inOrder = dias.toSorted((one, other) => one - other);
    const impeded = new Map<string, readonly Obstacle[]>();
    let left = 0;
    let answer = { sessoes: 0, puladas: 0 };
    for (const [at, { scope, ate, trechos, fresh, excluidas }] of plans.entries()) {
      const { state, desde } = scope;
      const { series_id, student_id } = state;
      const decide = (data: string, obstacles: readonly Obstacle[]) => {
        if (obstacles.length === 0 || impedidas === 'mudar') return 'book';
        impeded.set(timesOn(data, termsOn(trechos, data), zone).inicio, obstacles);
        return 'skip';
      };
      const { sessoes, puladas } = await bookDates(tx, { ...state, trechos }, fresh, decide, all);
      const change = { series_id, student_id, mudanca_id, ate, trechos, escopo, desde };
      const data = { ...change, dias: inOrder, sessoes, excluidas, puladas };
      tx.append(series, series_id, [{ type: 'SeriesDaysChanged', data }]);
      left += scope.sessions.length - excluidas.length + sessoes.length;
      if (at === 0) answer = { sessoes: sessoes.length + excluidas.length, puladas: puladas.length };
    }
    if (impeded.size > 0 && impedidas === undefined) {
      const words = `${plural(impeded.size, 'nova data tem', 'novas datas têm')} conflito`;
      const inWay = [...impeded].map(([inicio, obstacles]) => ({ inicio, obstacles }));
      throw timesTaken(inWay, words, zone);
    }
    if (left === 0) throw nothingLeft();
    return { id: scopes[0].state.series_id, mudanca_id, ...answer };
  },
);

/** The plan for one series: its rule, new dates, and sessions to remove. */
async function planned(tx: CommandTransaction, scope: Scope, dias: readonly number[]) {
  const { state, sessions, desde } = scope;
  const zone = tx.context.timezone;
  const stretches = daysChangedFrom(state.trechos, desde, dias);
  const ate = endWith(state, stretches, desde);
  const trechos = withRules({ ...state, ate }, stretches, zone);
  const before = new Set(datesOf(state, desde, state.ate ?? state.preenchida_ate));
  const after = datesOf({ ...state, ate, trechos }, desde, ate ?? state.preenchida_ate);
  const isToCome = (data: string) =>
    Date.parse(timesOn(data, termsOn(trechos, data), zone).inicio) > tx.now.getTime();
  const isFresh = (data: string) => !before.has(data) && isToCome(data);
  const once = await sessionsById(
    tx,
    state.sessoes.filter(({ data }) => isFresh(data)).map(({ session_id }) => session_id),
  );
  // A settled session stays when its day is removed, so it is not booked again when the day is added.
  const there = new Set(once.filter((one) => one && !one.deleted).map((one) => one!.ocorrencia));
  const fresh = after.filter((data) => isFresh(data) && !there.has(data));
  if (fresh.length > MOST_SESSIONS) {
    const detail = `Uma mudança cria no máximo ${MOST_SESSIONS} sessões.`;
    throw new Problem('series.too_long', { detail, errors: [{ pointer: '/dias', detail }] });
  }
  const excluidas = sessions
    .filter(({ ocorrencia }) => !after.includes(ocorrencia))
    .map(({ session_id }) => session_id);
  return { scope, ate, trechos, fresh, excluidas };
}

function nothingLeft(): Problem {
  const detail = 'Não sobraria nenhuma sessão do horário fixo. Se for isso, exclua o horário fixo.';
  return new Problem('series.no_dates', { detail, errors: [{ pointer: '/dias', detail }] });
}

/** The last date after the change: a series with a number of occurrences keeps it, and so gets another last date. */
function endWith(state: KnownSeries, trechos: readonly Stretch[], desde: string): string | null {
  if (state.vezes === null) return state.ate;
  const past = datesOf(state, state.inicio, daysAfter(desde, -1)).length;
  return lastFrom({ ...state, trechos }, desde, Math.max(1, state.vezes - past));
}

type DaysChange = Pick<SeriesChanges, 'escopo' | 'impedidas'> & Required<Pick<SeriesChanges, 'dias'>>;
