import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { plural } from '../../platform/plural.api.js';
import { loadSession, remove } from '../agenda/agenda.commands.js';
import { sessionsById } from '../agenda/away.commands.js';
import type { Obstacle } from '../agenda/obstacles.api.js';
import { datesOf, daysChangedFrom, termsOn } from './pattern.js';
import { MOST_SESSIONS, type SeriesChanges } from './series.api.js';
import { timesTaken } from './series-changes.commands.js';
import { bookDates, loadScope } from './series.loads.js';
import { placeOf, withRules } from './series.places.js';
import { series } from './series.js';

/**
 * The days of the week of a series from a session on, or of all that is to come: the sessions of days that stay are left as they
 * are, those of other days go, those of new days come.
 */
export const ChangeSeriesDays = defineCommand(
  'ChangeSeriesDays',
  async (tx, sessionId: string, { escopo, dias, impedidas }: DaysChange) => {
    const { state, sessions, desde } = await loadScope(tx, sessionId, escopo);
    const { series_id, student_id, ate, preenchida_ate } = state;
    const zone = tx.context.timezone;
    const trechos = withRules(state, daysChangedFrom(state.trechos, desde, dias), zone);
    const before = new Set(datesOf(state, desde, preenchida_ate));
    const after = datesOf({ ...state, trechos }, desde, preenchida_ate);
    const isToCome = (data: string) =>
      Date.parse(placeOf(data, termsOn(trechos, data), zone).inicio) > tx.now.getTime();
    const isFresh = (data: string) => !before.has(data) && isToCome(data);
    const once = await sessionsById(
      tx,
      state.sessoes.filter(({ data }) => isFresh(data)).map(({ session_id }) => session_id),
    );
    // One that was settled stays when its day goes, and is there when the day comes back.
    const there = new Set(once.filter((one) => one && !one.deleted).map((one) => one!.ocorrencia));
    const fresh = after.filter((data) => isFresh(data) && !there.has(data));
    if (fresh.length > MOST_SESSIONS) {
      const detail = `Uma mudança cria no máximo ${MOST_SESSIONS} sessões.`;
      throw new Problem('series.too_long', { detail, errors: [{ pointer: '/dias', detail }] });
    }

    const going = sessions.filter(({ ocorrencia }) => !after.includes(ocorrencia));
    const excluidas = going.map(({ session_id }) => session_id);
    for (const id of excluidas) await remove(tx, await loadSession(tx, id));
    const impeded: { inicio: string; obstacles: readonly Obstacle[] }[] = [];
    const decide = (data: string, obstacles: readonly Obstacle[]) => {
      if (obstacles.length === 0 || impedidas === 'mudar') return 'book';
      impeded.push({ inicio: placeOf(data, termsOn(trechos, data), zone).inicio, obstacles });
      return 'skip';
    };
    const { sessoes, puladas } = await bookDates(tx, { ...state, trechos }, fresh, decide, excluidas);
    if (impeded.length > 0 && impedidas === undefined) {
      const words = `${plural(impeded.length, 'nova data tem', 'novas datas têm')} algo no horário`;
      throw timesTaken(impeded, words, zone);
    }
    if (sessions.length === going.length && sessoes.length === 0) {
      const detail = 'Não sobraria nenhuma sessão da série. Se for isso, exclua a série.';
      throw new Problem('series.no_dates', { detail, errors: [{ pointer: '/dias', detail }] });
    }
    const mudanca_id = randomUUID();
    const change = { series_id, student_id, mudanca_id, ate, trechos, escopo, desde };
    const inOrder = dias.toSorted((one, other) => one - other);
    const data = { ...change, dias: inOrder, sessoes, excluidas, puladas };
    tx.append(series, series_id, [{ type: 'SeriesDaysChanged', data }]);
    return {
      ...{ id: series_id, mudanca_id, puladas: puladas.length },
      sessoes: sessoes.length + excluidas.length,
    };
  },
);

type DaysChange = Pick<SeriesChanges, 'escopo' | 'impedidas'> & Required<Pick<SeriesChanges, 'dias'>>;
