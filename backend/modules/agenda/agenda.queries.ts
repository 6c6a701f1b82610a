import { type Kysely, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { type AtMoment, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { searchable } from '../../platform/searchable.api.js';
import type {
  Dashboard,
  Session,
  SessionsQuery,
  SessionPage,
  SessionToChargePage,
  ToChargeQuery,
} from './agenda.api.js';
import { daysAt } from './days.js';
import { classOfSession } from './class-of-session.queries.js';
import { MOST_IN_HOUR } from './groups.api.js';
import { agreedAddress } from '../services/offered.queries.js';
import { everAccountsOf } from '../students/credit-accounts.queries.js';

const LONGEST_SESSION = 6 * 60 * 60_000;
const place = z.tuple([instant, id]);

export const ListSessions = defineQuery(
  'ListSessions',
  { past: PastTables },
  async ({ context }, { past }, list: SessionsQuery): Promise<SessionPage> => {
    const { from, to, student_id, ordem, q, limit, cursor, at } = list;
    const [begun, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    // The earliest start of a session that may last beyond `from`, so that the index on starts serves both bounds.
    const earliest = from === undefined ? undefined : new Date(Date.parse(from) - LONGEST_SESSION);
    const wanted =
      student_id === undefined
        ? sessionsWith('inicio', earliest?.toISOString() ?? '', to ?? '9')
        : sessionsWith('student_id', student_id);
    const { read } = await past.at(context.tenantId, at, wanted);
    const rows = await read(
      (ordem === 'recentes' ? latest : listed)({
        from,
        earliest,
        to,
        student_id,
        term: q ? searchable(q) : undefined,
        begun,
        last,
        limit: limit + 1,
      }),
    );
    return { at, ...pageOf(rows, limit, shown) };
  },
);

export const GetSession = defineQuery(
  'GetSession',
  { past: PastTables },
  async ({ context }, { past }, id: string, { at }: AtMoment = {}): Promise<Session & AtMoment> => {
    const { read } = await past.at(context.tenantId, at, sessionsWith('session_id', id));
    const [[row], [other]] = await Promise.all([
      read(byId({ id })),
      at === undefined ? read(creditOfAnother({ id })) : [],
    ]);
    if (!row) throw new Problem(at === undefined ? 'agenda.session_not_found' : 'past.not_there');
    return { at, ...shown(row), credito_de: other?.de };
  },
);

/** What sessions follow from that had such a value at any time. */
const sessionsWith = (field: string, first: string, last = first): WantedTables => ({
  tables: ['sessions', 'students', 'locations', 'services', 'classes'],
  inClear: true,
  only: [{ of: 'sessions', field, first, last, streams: true }],
});

/**
 * Sessions done without a credit, or cancelled with a cost that no credit paid, and not charged yet. A fee whose charge was
 * cancelled is forgiven.
 */
export const ListSessionsToCharge = defineQuery(
  'ListSessionsToCharge',
  async ({ read }, list: ToChargeQuery): Promise<SessionToChargePage> => {
    const { limit, cursor } = list;
    const [begun, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(toCharge({ begun, last, limit: limit + 1 }));
    return pageOf(rows, limit, (row) => ({ ...shown(row), a_cobrar: owed(row) }));
  },
);

export const ShowDashboard = defineQuery(
  'ShowDashboard',
  async ({ context, now, read }): Promise<Dashboard> => {
    const { day, week } = daysAt(now, context.timezone);
    const [row] = await read(
      dashboard({
        now,
        today: day.from,
        tomorrow: day.to,
        week: week.from,
        nextWeek: week.to,
      }),
    );
    const { proximas_sessoes, plano, aluno, agendamento, recebimento, local, pix, link, ...counts } = row!;
    return {
      ...counts,
      proximas_sessoes: firstHours(proximas_sessoes).map(shown),
      primeiros_passos: { plano, aluno, agendamento, recebimento, local, pix, link },
    };
  },
);

const serviceOf = sql<string>`(s.servico->>'service_id')::uuid`;

/** What is shown of a session's service. One column, because each costs on every row, and most sessions have none. */
const shownService = sql<Session['servico']>`case when sv.id is not null then json_build_object(
  'id', sv.id, 'nome', sv.nome, 'cor', sv.cor, 'usa_credito', (s.servico ->> 'usa_credito')::boolean,
  'endereco', ${agreedAddress}) end`;

/** Sessions that were not deleted, with the names of student, location and service. */
export function details(db: Kysely<DB>) {
  return db
    .selectFrom('sessions as s')
    .leftJoin('students as st', (join) =>
      join.onRef('st.tenant_id', '=', 's.tenant_id').onRef('st.id', '=', 's.student_id'),
    )
    .leftJoin('locations as l', (join) =>
      join.onRef('l.tenant_id', '=', 's.tenant_id').onRef('l.id', '=', 's.location_id'),
    )
    .select(['s.id', 's.student_id', 'st.nome as student_nome', 's.location_id', 'l.nome as location_nome'])
    .select(['s.inicio', 's.fim', 's.status', 's.confirmado', 's.observacoes', 's.motivo'])
    .leftJoinLateral(classOfSession, (join) => join.onTrue())
    .select(['s.credito', 's.valor', 's.taxa', 's.serie_id', 's.ocorrencia', 's.grupo_id'])
    .select(sql<string | null>`s.porta ->> 'charge_id'`.as('cobranca_id'))
    .select(['k.nome as turma_nome', 'k.vagas as turma_vagas'])
    .leftJoin('services as sv', (join) =>
      join.onRef('sv.tenant_id', '=', 's.tenant_id').on('sv.id', '=', serviceOf),
    )
    .select(shownService.as('servico'))
    .where(sql<boolean>`not s.deleted`);
}

interface Page {
  /** Last row of the previous page. */
  begun?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** By start, ascending or descending. Under row security only the first comparison can use an index. */
function page(db: Kysely<DB>, { begun, last, limit }: Blanks<Page>, order: 'asc' | 'desc' = 'asc') {
  return details(db)
    .$if(begun !== undefined, (found) =>
      found.where(
        order === 'asc'
          ? sql<boolean>`s.inicio >= ${begun!}::timestamptz and (s.inicio, s.id) > (${begun!}::timestamptz, ${last!}::uuid)`
          : sql<boolean>`s.inicio <= ${begun!}::timestamptz and (s.inicio, s.id) < (${begun!}::timestamptz, ${last!}::uuid)`,
      ),
    )
    .orderBy('s.inicio', order)
    .orderBy('s.id', order)
    .limit(limit);
}

interface Listed extends Page {
  from?: string | undefined;
  earliest?: Date | undefined;
  to?: string | undefined;
  student_id?: string | undefined;
  term?: string | undefined;
}

const listedBy = (order: 'asc' | 'desc') =>
  statement((db, { from, earliest, to, student_id, term, ...rest }: Blanks<Listed>) =>
    page(db, rest, order)
      .$if(from !== undefined, (found) =>
        found.where(sql<boolean>`s.fim > ${from!}::timestamptz and s.inicio > ${earliest!}::timestamptz`),
      )
      .$if(to !== undefined, (found) => found.where(sql<boolean>`s.inicio < ${to!}::timestamptz`))
      .$if(student_id !== undefined, (found) => found.where('s.student_id', '=', student_id!))
      .$if(term !== undefined, (found) => found.where(sql<boolean>`strpos(st.busca, ${term!}) > 0`))
      .compile(),
  );

const listed = listedBy('asc');
const latest = listedBy('desc');

const toCharge = statement((db, asked: Blanks<Page>) =>
  page(db, asked)
    .where(sql<boolean>`(s.credito = 'faltou' or s.taxa > 0)`)
    .where(
      sql<boolean>`not exists (select from charges c where c.session_id = s.id
        and (c.status <> 'cancelada' or s.taxa > 0 and c.origem = 'taxa' and c.student_id = s.student_id))`,
    )
    .compile(),
);

const byId = statement((db, { id }: Blanks<{ id: string }>) => details(db).where('s.id', '=', id).compile());

/** Whose credit a session has used, where it is not the student's own: that of its last entry. */
const creditOfAnother = statement((db, { id }: Blanks<{ id: string }>) =>
  sql<{ de: string }>`
    select coalesce(split_part(o.nome, ' ', 1), 'outro aluno') as de
    from sessions s cross join lateral (
      select e.student_id from credit_entries e
      where e.student_id = any(${everAccountsOf(sql`s.student_id`)}) and e.session_id = s.id
      order by e.position desc limit 1) e
    join students o on o.tenant_id = s.tenant_id and o.id = e.student_id
    where s.id = ${id} and s.credito = 'usado' and e.student_id <> s.student_id`.compile(db),
);

const NEXT_HOURS = 3;

/** The sessions of the next hours; the sessions of a group count as one hour. */
function firstHours(rows: readonly ShownRow[]): ShownRow[] {
  const hourOf = ({ inicio, grupo_id, id }: ShownRow) => [String(inicio), grupo_id ?? id].join();
  const hours = [...new Set(rows.map(hourOf))].slice(0, NEXT_HOURS);
  return rows.filter((row) => hours.includes(hourOf(row)));
}

interface Days {
  now: Date;
  today: Date;
  tomorrow: Date;
  week: Date;
  nextWeek: Date;
}

const dashboard = statement((db, { now, today, tomorrow, week, nextWeek }: Blanks<Days>) => {
  const count = sql<number>`count(*)::int`.as('n');
  const scheduled = (from: RawBuilder<Date>, to: RawBuilder<Date>) =>
    db
      .selectFrom('sessions')
      .select(sql<number>`count(distinct (inicio, coalesce(grupo_id, id)))::int`.as('n'))
      .where(sql<boolean>`not deleted and status = 'agendada'`)
      .where(sql<boolean>`fim > ${from}::timestamptz and inicio > ${from}::timestamptz - interval '6 hours'`)
      .where('inicio', '<', to);
  const active = db.selectFrom('students').select(count).where('status', '=', 'active');
  const open = db
    .selectFrom('locations')
    .select(count)
    .where('status', '=', 'existing')
    .where('is_active', '=', true);
  const hours = db
    .selectFrom('sessions')
    .select('inicio')
    .where(sql<boolean>`not deleted and status = 'agendada'`)
    .where('inicio', '>=', now)
    .groupBy(['inicio', sql`coalesce(grupo_id, id)`])
    .orderBy('inicio')
    .limit(sql.lit(NEXT_HOURS));
  const next = details(db)
    .where(sql<boolean>`s.status = 'agendada'`)
    .where('s.inicio', '>=', now)
    .where('s.inicio', '<=', (last) =>
      last.selectFrom(hours.as('h')).select(sql<Date>`max(h.inicio)`.as('inicio')),
    )
    .orderBy('s.inicio')
    .orderBy('s.id')
    .limit(NEXT_HOURS * MOST_IN_HOUR);
  // One row of each kind is enough, even if it was removed since.
  const isThere = (from: RawBuilder<unknown>) => sql<boolean>`exists (select from ${from})`;
  return db
    .selectNoFrom([
      scheduled(today, tomorrow).as('hoje'),
      scheduled(week, nextWeek).as('esta_semana'),
      active.as('total_alunos'),
      open.as('locais_ativos'),
      jsonArrayFrom(next).as('proximas_sessoes'),
      isThere(sql`plans`).as('plano'),
      isThere(sql`students`).as('aluno'),
      isThere(sql`sessions`).as('agendamento'),
      sql<boolean>`exists (select from charges) or exists (select from transactions where tipo = 'receita')`.as(
        'recebimento',
      ),
      isThere(sql`locations`).as('local'),
      isThere(sql`pix_accounts where chave is not null`).as('pix'),
      isThere(sql`public_links where salvo`).as('link'),
    ])
    .$narrowType<Record<'hoje' | 'esta_semana' | 'total_alunos' | 'locais_ativos', number>>()
    .compile();
});

type Row = Awaited<ReturnType<ReturnType<typeof details>['executeTakeFirstOrThrow']>>;
/** A row with dates, or with their text from JSON. */
type ShownRow = Omit<Row, 'inicio' | 'fim'> & { inicio: Date | string; fim: Date | string };

/** Copies field by field, because spreading the rest of a row would take twice as long. */
export function shown(row: ShownRow): Session {
  return {
    id: row.id,
    student_id: row.student_id,
    student_nome: row.student_nome,
    location_id: row.location_id,
    location_nome: row.location_nome,
    inicio: new Date(row.inicio).toISOString(),
    fim: new Date(row.fim).toISOString(),
    status: row.status as Session['status'],
    confirmado: row.confirmado,
    observacoes: row.observacoes,
    serie_id: row.serie_id,
    ocorrencia: row.ocorrencia,
    grupo_id: row.grupo_id,
    servico: row.servico,
    turma: row.turma_vagas === null ? null : { nome: row.turma_nome ?? 'Turma', vagas: row.turma_vagas },
    motivo: row.motivo as Session['motivo'],
    usou_credito: row.credito === 'usado',
    sem_credito: row.credito === 'faltou',
    valor: row.valor,
    taxa: row.taxa,
    cobranca_id: row.cobranca_id ?? undefined,
  };
}

function owed({ credito, valor, taxa }: Row): number | null {
  if (credito !== 'faltou') return taxa;
  return valor === null ? null : valor + taxa;
}

function pageOf<Item>(rows: Row[], limit: number, show: (row: Row) => Item) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last ? encodeCursor([last.inicio.toISOString(), last.id]) : null;
  return { items: items.map(show), next };
}
