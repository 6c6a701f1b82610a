import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import { inTurns } from '../../platform/turns.js';
import { obstaclesAt, TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import type { DateException, WeekRow } from '../availability/availability.api.js';
import type { HolidayState } from '../holidays/holiday-calendar.js';
import { inWords, untilInWords, weekdayMoved } from './pattern.js';
import { localOf, timesOn } from './series.times.js';
import type { Recurrence, SeriesAnswer, SeriesPreview } from './series.api.js';
import { patternOf, plannedDates } from './series.commands.js';
import type { RuledStretch, Skipped } from './series.js';

export const PreviewSeries = defineQuery(
  'PreviewSeries',
  async ({ context, now, read }, wanted: Recurrence): Promise<SeriesPreview> => {
    const zone = context.timezone;
    const pattern = patternOf(wanted);
    const { dates } = plannedDates(pattern, now, zone);
    const { hora, duracao } = wanted;
    const terms = { deslocamento: 0, hora, duracao, location_id: null, observacoes: null };
    const times = dates.map((data) => ({ data, ...timesOn(data, terms, zone) }));
    const [row] = await read(
      met({
        starts: times.map(({ inicio }) => inicio),
        ends: times.map(({ fim }) => fim),
        from: new Date(times[0]!.inicio),
        to: new Date(times.at(-1)!.fim),
      }),
    );
    const { busy, elsewhere, rules, exceptions, vacations, proprios, ligados } = row!;
    const known = {
      busy: [
        ...busy.map(({ nome, ...times }) => ({ ...spanOf(times), nome })),
        ...elsewhere.map((times) => ({ ...spanOf(times), elsewhere: true })),
      ],
      rules: { rules, exceptions, vacations, zone },
      holidays: { proprios, ligados },
    };
    return {
      texto: capital(`${inWords(pattern, terms)}${untilInWords(pattern.ate)}`),
      tem_fim: pattern.ate !== null,
      sessoes: await inTurns(times, TIMES_AT_ONCE, (time) => ({
        ...time,
        obstaculos: obstaclesAt(time, known),
      })),
    };
  },
);

const spanOf = ({ inicio, fim }: { inicio: string; fim: string }) => ({
  from: Date.parse(inicio),
  to: Date.parse(fim),
});

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

interface Met extends HolidayState {
  busy: { inicio: string; fim: string; nome: string | null }[];
  /** Events of another calendar. */
  elsewhere: { inicio: string; fim: string }[];
  rules: WeekRow[];
  exceptions: DateException[];
  vacations: { start_date: string; end_date: string }[];
}

interface Planned {
  /** Start and end of each date's session. */
  starts: string[];
  ends: string[];
  from: Date;
  to: Date;
}

/** Reads only the sessions that overlap one of the dates, since the agenda may be full. */
const met = statement((db, { starts, ends, from, to }: Blanks<Planned>) =>
  sql<Met>`select
    coalesce((
      select json_agg(json_build_object('inicio', s.inicio, 'fim', s.fim, 'nome', st.nome) order by s.inicio)
      from (
        select distinct s.tenant_id, s.id, s.student_id, s.inicio, s.fim
        from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) as d(inicio, fim)
        join sessions s on s.inicio > d.inicio - interval '6 hours' and s.inicio < d.fim and s.fim > d.inicio
        where not s.deleted and s.status <> 'cancelada'
      ) s left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    ), '[]') as busy,
    coalesce((
      select json_agg(json_build_object('inicio', inicio, 'fim', fim) order by inicio) from other_calendar_busy
      where inicio < ${to}::timestamptz and fim > ${from}::timestamptz
    ), '[]') as elsewhere,
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date))
      from vacations where status = 'active'), '[]') as vacations,
    coalesce((select proprios from holidays), '[]') as proprios,
    coalesce((select ligados from holidays), '{}') as ligados`.compile(db),
);

export const GetSeries = defineQuery(
  'GetSeries',
  async ({ context, now, read }, id: string): Promise<SeriesAnswer> => {
    const today = localOf(now, context.timezone).data;
    const [row] = await read(byId({ id, today }));
    if (!row) throw new Problem('series.not_found');
    const { student_id, inicio, ate, pode_desfazer } = row;
    const trechos = row.trechos as RuledStretch[];
    return {
      id,
      student_id,
      inicio,
      ate,
      trechos: trechos.map((stretch) => ({
        desde: stretch.desde,
        dias: (stretch.dias ?? (row.dias as number[])).map((day) => weekdayMoved(day, stretch.deslocamento)),
        texto: capital(inWords({ dias: row.dias as number[], intervalo: row.intervalo }, stretch)),
        rrule: stretch.rrule,
        location_id: stretch.location_id,
      })),
      puladas: (row.puladas as Skipped[]).filter(({ data }) => data >= today),
      pode_desfazer,
    };
  },
);

/** Of the last event that `LastChange` follows from: null where that is no change, such as an undoing. */
const lastChange = (id: Blanks<{ id: string }>['id'], today: Blanks<{ today: string }>['today']) =>
  sql<
    SeriesAnswer['pode_desfazer']
  >`(select case when coalesce(h.data ->> 'desde', h.data ->> 'inicio') >= ${today}::text
      then json_build_object('mudanca_id', h.data ->> 'mudanca_id', 'tipo', case h.type when 'SeriesStarted' then 'criada'
        when 'SeriesChanged' then 'alterada' when 'SeriesDaysChanged' then 'dias' else h.data ->> 'como' end) end
    from history h
    where h.subject = 'series:' || ${id}::text and h.type not in ('SeriesJoined', 'SeriesReassigned')
    order by h.position desc limit 1)`;

const byId = statement((db, { id, today }: Blanks<{ id: string; today: string }>) =>
  db
    .selectFrom('series')
    .select(['student_id', 'dias', 'intervalo', 'inicio', 'ate', 'trechos', 'puladas'])
    .select(lastChange(id, today).as('pode_desfazer'))
    .where('id', '=', id)
    .where('removida', '=', false)
    .compile(),
);
