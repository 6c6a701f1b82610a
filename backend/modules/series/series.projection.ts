import { rowProjection } from '../../platform/projections/projection.js';
import { datesOf, type Pattern } from './pattern.js';
import type { RuledStretch, SeriesEvent, Skipped } from './series.js';

interface SeriesRow extends Pattern {
  student_id: string;
  /** Without notes. */
  trechos: Omit<RuledStretch, 'observacoes'>[];
  preenchida_ate: string;
  puladas: Skipped[];
  removida: boolean;
}

/** Series with their rules and skipped dates; their sessions are in `sessions`. */
export const seriesRows = rowProjection<SeriesRow>({
  name: 'series',
  topic: 'sessions',
  table: 'series',
  events: [
    'SeriesStarted',
    'SeriesExtended',
    'SeriesChanged',
    'SeriesEnded',
    'SeriesDaysChanged',
    'SeriesZoneChanged',
    'SeriesUndone',
    'SeriesReassigned',
  ] satisfies SeriesEvent['type'][],
  keys: ({ data }) => [data.series_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as Exclude<SeriesEvent, { type: 'SeriesJoined' }>;
    if (type === 'SeriesStarted') {
      const { student_id, dias, intervalo, inicio, ate, preenchida_ate, puladas } = data;
      const trechos = withoutNotes(data.trechos);
      return { student_id, dias, intervalo, inicio, ate, trechos, preenchida_ate, puladas, removida: false };
    }
    if (!row) return null;
    switch (type) {
      case 'SeriesExtended': {
        const { preenchida_ate, sessoes } = data;
        // Some of them may have been left out because of a pause.
        const decided = new Set([...sessoes, ...data.puladas].map((one) => one.data));
        const puladas = [...row.puladas.filter((one) => !decided.has(one.data)), ...data.puladas];
        return { ...row, preenchida_ate, puladas };
      }
      case 'SeriesChanged':
      case 'SeriesEnded':
        return { ...row, ate: data.ate, trechos: withoutNotes(data.trechos) };
      case 'SeriesZoneChanged':
        return { ...row, trechos: withoutNotes(data.trechos) };
      case 'SeriesDaysChanged': {
        const puladas = [...row.puladas, ...data.puladas];
        return onItsDays({ ...row, ate: data.ate, trechos: withoutNotes(data.trechos), puladas });
      }
      case 'SeriesUndone': {
        const { ate, trechos, removida } = data;
        return onItsDays({ ...row, ate, trechos: withoutNotes(trechos), removida });
      }
      case 'SeriesReassigned':
        return { ...row, student_id: data.student_id };
    }
  },
});

/** Removes skipped dates that no longer belong to the series. */
function onItsDays(row: SeriesRow): SeriesRow {
  const pattern = { ...row, ate: null, trechos: row.trechos as RuledStretch[] };
  const isIn = ({ data }: Skipped) => datesOf(pattern, data, data).length > 0;
  return { ...row, puladas: row.puladas.filter(isIn) };
}

const withoutNotes = (trechos: readonly RuledStretch[]) =>
  trechos.map(({ observacoes: _, ...stretch }) => stretch);
