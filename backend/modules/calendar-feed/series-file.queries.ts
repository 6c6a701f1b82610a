import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { datesOf, dayNumber, termsOn, type Stretch, weekdayMoved, weekdayOf } from '../series/pattern.js';
import { sessions } from './calendar-feed.queries.js';
import type { CalendarEntry } from './calendar-file.ics.js';

/** The sessions of a series that are not cancelled, as entries with repetition rules. */
export const ReadSeriesEntries = defineQuery(
  'ReadSeriesEntries',
  async ({ read }, id: string): Promise<CalendarEntry[]> => {
    const [[series], rows] = await Promise.all([read(byId({ id })), read(ofSeries({ id }))]);
    if (!series) throw new Problem('series.not_found');
    const booked = rows
      .filter(({ student_id }) => student_id === series.student_id)
      .map(({ student_nome, ...row }) => ({
        ...row,
        ocorrencia: row.ocorrencia!,
        titulo: student_nome ?? 'Aluno apagado',
      }));
    return seriesEntries({ ...series, id, trechos: series.trechos as Stretch[] }, booked);
  },
);

const byId = statement((db, { id }: Blanks<{ id: string }>) =>
  db
    .selectFrom('series')
    .select(['student_id', 'intervalo', 'inicio', 'trechos'])
    .select((eb) => [
      // Includes deleted and cancelled sessions, because their removal is a change too.
      eb
        .selectFrom('sessions as s')
        .innerJoin('session_revisions as r', (join) => sameTenant(join, 'r.id', 's.id'))
        .where('s.serie_id', '=', id)
        .select(sql<number>`coalesce(sum(r.revisao + 1) - 1, 0)::int`.as('mudancas'))
        .$asScalar()
        .$notNull()
        .as('revisao'),
    ])
    .where('id', '=', id)
    .where('removida', '=', false)
    .compile(),
);

const ofSeries = statement((db, { id }: Blanks<{ id: string }>) =>
  sessions(db)
    .select(['s.ocorrencia', 's.student_id'])
    .where('s.serie_id', '=', id)
    .where('s.status', '<>', 'cancelada')
    .orderBy('s.inicio')
    .orderBy('s.id')
    .compile(),
);

interface FiledSeries {
  id: string;
  intervalo: number;
  inicio: string;
  trechos: readonly Stretch[];
  /** Number of changes of all its sessions so far, including deleted and cancelled ones. */
  revisao: number;
}

/** A session and its occurrence: its date in the pattern of the series. */
export interface FiledSession extends CalendarEntry {
  ocorrencia: string;
}

const DAY = 86_400_000;

/**
 * One entry with a repetition rule for all sessions that one rule can describe: of one stretch, at one UTC time, at one location.
 * Before and after a change of daylight saving time there are separate rules, and sessions that were moved alone are single
 * entries. So the entries describe exactly the sessions in the agenda, independent of a program's knowledge of time zones.
 */
export function seriesEntries(series: FiledSeries, booked: readonly FiledSession[]): CalendarEntry[] {
  const runs = new Map<string, FiledSession[]>();
  for (const one of booked) {
    const { ocorrencia, inicio, fim, titulo, local, status, confirmado } = one;
    const key = JSON.stringify([
      termsOn(series.trechos, ocorrencia).desde,
      inicio.getTime() % DAY,
      shiftOf(one),
      fim.getTime() - inicio.getTime(),
      titulo,
      local,
      status,
      confirmado,
    ]);
    runs.set(key, [...(runs.get(key) ?? []), one]);
  }
  const rules = [...runs.values()].filter((run) => run.length > 1);
  return [...runs.values()].map((run) => entryOf(series, run, rules.indexOf(run) + 1));
}

/** Days between the occurrence and the UTC date of the start. */
const shiftOf = ({ inicio, ocorrencia }: FiledSession) =>
  Math.floor(inicio.getTime() / DAY) - dayNumber(ocorrencia);

function entryOf(
  { id, intervalo, inicio, revisao }: FiledSeries,
  run: readonly FiledSession[],
  number: number,
): CalendarEntry {
  const [first, last] = [run[0]!, run.at(-1)!];
  const { ocorrencia: _, ...entry } = first;
  if (run.length === 1) return entry;
  const shift = shiftOf(first);
  const there = new Set(run.map(({ ocorrencia }) => ocorrencia));
  const days = [...new Set(run.map(({ ocorrencia }) => weekdayOf(dayNumber(ocorrencia))))];
  const pattern = { dias: days, intervalo, inicio, ate: null };
  const fora = datesOf(pattern, first.ocorrencia, last.ocorrencia).filter((date) => !there.has(date));
  return {
    ...entry,
    id: `${id}-${number}`,
    // Rises with each change, because programs ignore an entry with a lower number than the one they have.
    revisao,
    alterada_em: new Date(Math.max(...run.map(({ alterada_em }) => alterada_em.getTime()))),
    repete: {
      intervalo,
      dias: days.map((day) => weekdayMoved(day, shift)).toSorted((one, other) => one - other),
      semana: weekdayMoved(0, shift),
      ate: last.inicio,
      fora: fora.map((date) => new Date((dayNumber(date) + shift) * DAY + (first.inicio.getTime() % DAY))),
    },
  };
}
