import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { daysLater, type Span } from '../../platform/local-time.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { plural } from '../../platform/plural.api.js';
import { dayAndTime, firstName, shortDate, timeOf } from '../../platform/portuguese.js';
import { inTurns } from '../../platform/turns.js';
import { TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import type { DateException, WeekRow } from '../availability/availability.api.js';
import { type OpenRules, vacationSpan } from '../availability/free-times.js';
import { busyElsewhere } from '../other-calendar/busy-words.js';
import { closedForMoves, weeksLater, refuseTooMany, announceCredits } from './vacations.commands.js';
import { whatsAppAddress } from '../../platform/whatsapp.api.js';
import {
  type HitSession,
  MOST_SESSIONS,
  type VacationList,
  type VacationMessage,
  type VacationMessages,
  type VacationPage,
  type VacationPreview,
  type VacationPreviewQuery,
} from './vacations.api.js';

const place = z.tuple([calendarDate, id]);

const SHOWN: WantedTables = { tables: ['vacations', 'vacation_effects'], inClear: true };

export const ListVacations = defineQuery(
  'ListVacations',
  { past: PastTables },
  async ({ context }, { past }, { cursor, limit, at }: VacationList): Promise<VacationPage> => {
    const { now, read } = await past.at(context.tenantId, at, SHOWN);
    const [start, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(active({ start, last, limit: limit + 1 }));
    const shown = rows.slice(0, limit);
    const end = shown.at(-1);
    return {
      at,
      items: shown.map(({ desfazer_ate, ...row }) => ({
        ...row,
        is_active: true,
        pode_desfazer: desfazer_ate === null || desfazer_ate > now,
      })),
      next: rows.length > limit && end ? encodeCursor([end.start_date, end.id]) : null,
    };
  },
);

interface Listed {
  start?: string | undefined;
  last?: string | undefined;
  limit: number;
}

const active = statement((db, { start, last, limit }: Blanks<Listed>) =>
  db
    .selectFrom('vacations as v')
    .innerJoin('vacation_effects as e', (join) => sameTenant(join, 'e.id', 'v.id'))
    .select(['v.id', 'v.start_date', 'v.end_date', 'v.description', 'e.desfazer_ate'])
    .select(sql<number>`jsonb_array_length(e.canceladas)`.as('canceladas'))
    .select(sql<number>`jsonb_array_length(e.movidas)`.as('movidas'))
    .select(sql<number>`jsonb_array_length(e.creditos)`.as('creditos'))
    .where(sql<boolean>`v.status = 'active'`)
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(v.start_date, v.id) > (${start!}::date, ${last!}::uuid)`),
    )
    .orderBy('v.start_date')
    .orderBy('v.id')
    .limit(limit)
    .compile(),
);

const LONGEST_SESSION_MS = 6 * 60 * 60_000;

export const PreviewVacation = defineQuery(
  'PreviewVacation',
  { store: EventStore },
  async ({ context, now, read }, { store }, asked: VacationPreviewQuery): Promise<VacationPreview> => {
    const { start_date, end_date, semanas } = asked;
    const zone = context.timezone;
    const span = vacationSpan(asked, zone);
    const later = (at: number) => (semanas ? daysLater(at, semanas * 7, zone) : at);
    const target = { from: later(span.from) - LONGEST_SESSION_MS, to: later(span.to) + LONGEST_SESSION_MS };
    const [row] = await read(
      hit({
        now,
        from: new Date(span.from),
        to: new Date(span.to),
        most: MOST_SESSIONS + 1,
        earliest: new Date(span.from - LONGEST_SESSION_MS),
        targetFrom: new Date(target.from),
        targetTo: new Date(target.to),
      }),
    );
    const { sessoes, ocupados, fora, rules, exceptions, vacations } = row!;
    refuseTooMany(sessoes.length);
    const all = { rules, exceptions, vacations: [...vacations, { start_date, end_date }], zone };
    const moving = new Set(sessoes.map(({ id }) => id));
    const others = ocupados.filter(({ id }) => !moving.has(id));
    const destino = ({ inicio, fim }: { inicio: string; fim: string }): HitSession['destino'] => {
      if (!semanas) return null;
      const { from, to } = weeksLater({ inicio, fim }, semanas, zone);
      const impedimento = impediment({ from, to }, { others, elsewhere: fora }, all);
      return { inicio: new Date(from).toISOString(), fim: new Date(to).toISOString(), impedimento };
    };
    return {
      sessoes: await inTurns(sessoes, TIMES_AT_ONCE, (one) => ({
        ...one,
        inicio: new Date(one.inicio).toISOString(),
        fim: new Date(one.fim).toISOString(),
        destino: destino(one),
      })),
      ...(await store.rehearse(context, (tx) => announceCredits(tx, asked))),
    };
  },
);

interface Busy {
  id: string;
  inicio: string;
  fim: string;
  nome: string | null;
}

/** Why a session cannot be moved to a time, by the same rule as when the vacation is activated. */
function impediment(
  span: Span,
  { others, elsewhere }: { others: readonly Busy[]; elsewhere: readonly [from: number, to: number][] },
  rules: OpenRules,
): string | null {
  const closed = closedForMoves(span, rules);
  if (closed === 'vacation') return 'Ainda são férias';
  const other = others.find(({ inicio, fim }) => Date.parse(inicio) < span.to && Date.parse(fim) > span.from);
  if (other) {
    const who = other.nome === null ? 'Já há sessão' : `${firstName(other.nome)} já tem sessão`;
    return `${who} das ${timeOf(other.inicio, rules.zone)} às ${timeOf(other.fim, rules.zone)}`;
  }
  if (closed === 'blocked') return 'O horário está bloqueado';
  const busy = elsewhere.find(([from, to]) => from < span.to && to > span.from);
  return busy ? busyElsewhere({ from: busy[0], to: busy[1] }, rules.zone) : null;
}

interface Look {
  now: Date;
  from: Date;
  to: Date;
  earliest: Date;
  targetFrom: Date;
  targetTo: Date;
  most: number;
}

interface Hit {
  sessoes: Omit<HitSession, 'destino'>[];
  ocupados: Busy[];
  /** Events of another calendar: starts and ends in milliseconds. */
  fora: [from: number, to: number][];
  rules: WeekRow[];
  exceptions: DateException[];
  vacations: { start_date: string; end_date: string }[];
}

const hit = statement((db, { now, from, to, earliest, targetFrom, targetTo, most }: Blanks<Look>) =>
  sql<Hit>`with hit as (
    select s.id, s.student_id, st.nome as student_nome, l.nome as location_nome, s.inicio, s.fim
    from sessions s
    left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
    where not s.deleted and s.status = 'agendada' and s.inicio > ${now}::timestamptz and s.inicio < ${to}::timestamptz
      and s.inicio > ${earliest}::timestamptz and s.fim > ${from}::timestamptz
    order by s.inicio, s.id limit ${most}::bigint
  ), busy as (
    select s.id, s.inicio, s.fim, st.nome from sessions s
    left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
    where not s.deleted and s.status <> 'cancelada' and s.inicio > ${targetFrom}::timestamptz
      and s.inicio < ${targetTo}::timestamptz
  )
  select
    coalesce((select json_agg(h order by h.inicio, h.id) from hit h), '[]') as sessoes,
    coalesce((select json_agg(b order by b.inicio) from busy b), '[]') as ocupados,
    coalesce((select json_agg(json_build_array((extract(epoch from o.inicio) * 1000)::bigint,
      (extract(epoch from o.fim) * 1000)::bigint) order by o.inicio) from other_calendar_busy o
      where o.inicio < ${targetTo}::timestamptz and o.fim > ${targetFrom}::timestamptz), '[]') as fora,
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date))
      from vacations where status = 'active'), '[]') as vacations`.compile(db),
);

export const ListVacationMessages = defineQuery(
  'ListVacationMessages',
  async ({ context, read }, id: string): Promise<VacationMessages> => {
    const rows = await read(told({ id }));
    if (rows.length === 0) throw new Problem('vacations.not_found');
    return { items: rows.flatMap((row) => (row.nome === null ? [] : [messageOf(row, context.timezone)])) };
  },
);

interface Told {
  student_id: string;
  /** Null without an affected student. */
  nome: string | null;
  whatsapp: string | null;
  start_date: string;
  end_date: string;
  /** Whether the student's credits were extended, and by how many days; null: by different numbers. */
  prorrogados: boolean;
  dias: number | null;
  /** `para`: the new start; null for a cancelled session. */
  sessoes: { de: string; para: string | null }[];
}

/** One message for each affected student, about all their sessions. */
function messageOf(told: Told, zone: string): VacationMessage {
  const { student_id, whatsapp, start_date, end_date, prorrogados, dias, sessoes } = told;
  const nome = told.nome!;
  const when = (at: string) => dayAndTime(at, zone);
  const cancelled = sessoes.filter(({ para }) => para === null);
  const moved = sessoes.filter(({ para }) => para !== null);
  const texto = [
    `Oi, ${firstName(nome)}! Vou estar de férias de ${shortDate(start_date)} a ${shortDate(end_date)}.`,
    listed(
      'Desmarquei',
      cancelled.map(({ de }) => when(de)),
    ),
    listed(
      'Remarquei',
      moved.map(({ de, para }) => `${when(de)} para ${when(para!)}`),
    ),
    prorrogados &&
      `Seus créditos ganharam mais ${dias === null ? 'dias' : plural(dias, 'dia', 'dias')} de validade.`,
  ]
    .filter(Boolean)
    .join('\n');
  const link = whatsapp && whatsAppAddress(whatsapp, texto);
  return { student_id, nome, texto, link };
}

function listed(verb: string, lessons: readonly string[]): string | undefined {
  if (lessons.length === 0) return undefined;
  if (lessons.length === 1) return `${verb} a nossa aula de ${lessons[0]}.`;
  return [`${verb} as nossas aulas:`, ...lessons.map((lesson) => `• ${lesson}`)].join('\n');
}

const told = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<Told>`with applied as (
    select v.tenant_id, v.start_date, v.end_date, e.canceladas, e.movidas, e.creditos, e.dias
    from vacations v join vacation_effects e on e.tenant_id = v.tenant_id and e.id = v.id
    where v.id = ${id}::uuid and v.status = 'active'
  ), hit as (
    select s.student_id, s.inicio as de, null::timestamptz as para
    from applied a cross join jsonb_array_elements_text(a.canceladas) c(id)
    join sessions s on s.tenant_id = a.tenant_id and s.id = c.id::uuid
    union all
    select s.student_id, m.inicio_antes, m.inicio
    from applied a
    cross join jsonb_to_recordset(a.movidas) m(session_id uuid, inicio timestamptz, inicio_antes timestamptz)
    join sessions s on s.tenant_id = a.tenant_id and s.id = m.session_id
  ), by_student as (
    select student_id, json_agg(json_build_object('de', de, 'para', para) order by de) as sessoes, min(de) as first
    from hit group by student_id
  )
  select h.student_id, st.nome, st.whatsapp, a.start_date, a.end_date, h.sessoes,
    c.of is not null as prorrogados, case when c.of ? 'dias' then (c.of ->> 'dias')::int else a.dias end as dias
  from applied a left join by_student h on true
  left join lateral (select e as of from jsonb_array_elements(a.creditos) e
    where e ->> 'student_id' = h.student_id::text limit 1) c on true
  left join students st on st.tenant_id = a.tenant_id and st.id = h.student_id
  order by h.first, h.student_id`.compile(db),
);
