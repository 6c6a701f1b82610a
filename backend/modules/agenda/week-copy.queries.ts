import { TZDate } from '@date-fns/tz';
import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { daysLater } from '../../platform/local-time.js';
import { inTurns } from '../../platform/turns.js';
import type { OpenRules } from '../availability/free-times.js';
import type { HolidayState } from '../holidays/holiday-calendar.js';
import { weekOf } from './days.js';
import { obstaclesAt, TIMES_AT_ONCE } from './obstacles.queries.js';
import type { WeekCopyPreview, WeekCopyQuery } from './week-copy.api.js';
import { agreedAddress } from '../services/offered.queries.js';

const WEEK_DAYS = 7;

type Item = WeekCopyPreview['items'][number];
type Obstacle = Item['obstaculos'][number];

export const PreviewWeekCopy = defineQuery(
  'PreviewWeekCopy',
  async ({ context, now, read }, asked: WeekCopyQuery): Promise<WeekCopyPreview> => {
    const zone = context.timezone;
    const [year, month, day] = asked.semana.split('-').map(Number) as [number, number, number];
    const week = weekOf(new TZDate(year, month - 1, day, 12, zone), zone);
    const later = (at: string | Date) => daysLater(new Date(at).getTime(), WEEK_DAYS, zone);
    const [row] = await read(twoWeeks({ from: week.from, to: week.to, end: new Date(later(week.to)) }));
    const { sessions, elsewhere, rules, exceptions, vacations, proprios, ligados } = row!;
    const isSource = ({ inicio }: Read) => Date.parse(inicio) < week.to.getTime();
    const coming = sessions.filter((one) => !isSource(one));
    const series = new Set(coming.flatMap(({ serie_id }) => serie_id ?? []));
    const busy = [
      ...coming
        .filter(({ status }) => status !== 'cancelada')
        .map(({ inicio, fim, nome }) => ({ from: Date.parse(inicio), to: Date.parse(fim), nome })),
      ...elsewhere.map(([from, to]) => ({ from, to, elsewhere: true })),
    ];
    const known = { busy, rules: { rules, exceptions, vacations, zone }, holidays: { proprios, ligados } };

    const hours = hoursOf(sessions.filter((one) => isSource(one) && one.status !== 'cancelada'));
    const items = await inTurns(hours, TIMES_AT_ONCE, (hour): Item => {
      const [first] = hour as [Read];
      const starts = later(first.inicio);
      const time = {
        inicio: new Date(starts).toISOString(),
        fim: new Date(later(first.fim)).toISOString(),
      };
      const obstaculos: Obstacle[] = [];
      if (hour.some(({ serie_id }) => serie_id !== null && series.has(serie_id)))
        obstaculos.push({ tipo: 'horario_fixo', texto: 'Já está no horário fixo' });
      else if (hour.some(({ ativo }) => !ativo))
        obstaculos.push({ tipo: 'arquivado', texto: 'Aluno inativo' });
      else if (starts <= now.getTime()) obstaculos.push({ tipo: 'passado', texto: 'O horário já passou' });
      else obstaculos.push(...obstaclesAt(time, known));
      return {
        session_ids: hour.map(({ id }) => id),
        student_ids: hour.map(({ student_id }) => student_id),
        nomes: hour.map(({ nome }) => nome),
        location_nome: first.local,
        servico: first.chamada === null ? null : { endereco: first.chamada },
        ...time,
        obstaculos,
      };
    });
    return { items };
  },
);

interface Read {
  id: string;
  student_id: string;
  inicio: string;
  fim: string;
  status: string;
  grupo_id: string | null;
  serie_id: string | null;
  nome: string | null;
  local: string | null;
  chamada: string | null;
  /** Whether the student can be booked. */
  ativo: boolean;
}

/** Sessions by hour; the sessions of a group are one hour. */
function hoursOf(sessions: readonly Read[]): Read[][] {
  const hours = new Map<string, Read[]>();
  for (const session of sessions) {
    const hour = `${session.grupo_id ?? session.id} ${session.inicio}`;
    hours.set(hour, [...(hours.get(hour) ?? []), session]);
  }
  return [...hours.values()];
}

interface TwoWeeks extends HolidayState, Pick<OpenRules, 'rules' | 'exceptions' | 'vacations'> {
  sessions: Read[];
  /** Busy times of the other calendar, in milliseconds. */
  elsewhere: [from: number, to: number][];
}

/** The sessions that begin between `from` and `end`, and the trainer's hours. */
const twoWeeks = statement((db, { from, to, end }: Blanks<{ from: Date; to: Date; end: Date }>) =>
  sql<TwoWeeks>`select
    coalesce((
      select json_agg(json_build_object('id', s.id, 'student_id', s.student_id, 'inicio', s.inicio, 'fim', s.fim,
        'status', s.status, 'grupo_id', s.grupo_id, 'serie_id', s.serie_id, 'nome', st.nome, 'local', l.nome,
        'chamada', ${agreedAddress},
        'ativo', coalesce(st.status = 'active', false)) order by s.inicio, st.nome, s.id)
      from sessions s left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
        left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
      where not s.deleted and s.inicio >= ${from}::timestamptz and s.inicio < ${end}::timestamptz
    ), '[]') as sessions,
    coalesce((
      select json_agg(json_build_array((extract(epoch from inicio) * 1000)::bigint,
        (extract(epoch from fim) * 1000)::bigint) order by inicio)
      from other_calendar_busy where inicio < ${end}::timestamptz and fim > ${to}::timestamptz
    ), '[]') as elsewhere,
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date))
      from vacations where status = 'active'), '[]') as vacations,
    coalesce((select proprios from holidays), '[]') as proprios,
    coalesce((select ligados from holidays), '{}') as ligados`.compile(db),
);
