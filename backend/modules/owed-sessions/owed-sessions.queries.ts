import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { csvOf } from '../../platform/csv.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { everyRow } from '../../platform/database/every-row.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { dateOf, monthAfter } from '../../platform/local-time.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { defaultSettings } from '../settings/settings.api.js';
import type { OwedLot, OwedSessionsPage, OwedSessionsQuery, OwedStudent } from './owed-sessions.api.js';

const place = z.tuple([z.int(), id]);

export const ListOwedSessions = defineQuery(
  'ListOwedSessions',
  { past: PastTables },
  async ({ context }, { past }, list: OwedSessionsQuery): Promise<OwedSessionsPage> => {
    const { month, limit, cursor, at } = list;
    const { now, read } = await past.at(context.tenantId, at, owedIn(month));
    const [valor, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { now, zone: context.timezone, first: `${month}-01`, valor, last, limit: limit + 1 };
    const [row] = await read(owedSessions(asked));
    const { total } = row!;
    const items = row!.items.slice(0, limit);
    const end = items.at(-1);
    return {
      at,
      items,
      next: row!.items.length > limit && end ? encodeCursor([end.valor, end.id]) : null,
      total: { ...total, meta_reserva: total.meta_reserva ?? defaultSettings.meta_reserva },
    };
  },
);

/** What it follows from. Sessions and entries of other months are counted in none of the answer. */
function owedIn(month: string): WantedTables {
  const [first, next] = [`${month}-01`, monthAfter(`${month}-01`)];
  return {
    tables: [
      'credit_entries',
      'credit_lot_balances',
      'charges',
      'charge_payments',
      'transactions',
      'sessions',
      'students',
      'plans',
      'financial_settings',
    ],
    inClear: true,
    only: [
      // In Brazil, a month ends some hours later than in UTC.
      { of: 'sessions', field: 'inicio', first, last: `${next}T9`, streams: true },
      { of: 'transactions', field: 'data', first, last: next },
    ],
  };
}

/** What is owed now as a spreadsheet, with one row for each lot. */
export const WriteOwedSessions = defineQuery('WriteOwedSessions', async ({ context, now, report }) => {
  const first = `${dateOf(now, context.timezone).slice(0, 7)}-01`;
  const students = await everyRow<OwedStudent>(async (limit, end) => {
    const asked = { now, zone: context.timezone, first, valor: end?.valor, last: end?.id, limit };
    const [row] = await report(owedSessions(asked));
    return row!.items;
  });
  return csvOf(inWords(students), context.timezone, columns);
});

const columns = ['Aluno', 'Plano', 'Origem', 'Sessões a dar', 'Valor', 'Validade'] as const;

const origins: Record<OwedLot['origem'], string> = {
  compra: 'Compra',
  transferencia: 'Transferência',
  reposicao: 'Reposição',
  entrada: 'Pagamento parcial',
};

async function* inWords(
  students: AsyncIterable<OwedStudent>,
): AsyncGenerator<Record<(typeof columns)[number], unknown>> {
  for await (const { nome, lotes } of students)
    for (const { plano, origem, sessoes, valor, expira_em } of lotes)
      yield {
        Aluno: nome ?? 'Aluno apagado',
        Plano: plano,
        Origem: origins[origem],
        'Sessões a dar': sessoes,
        Valor: valor,
        Validade: expira_em,
      };
}

interface Asked {
  now: Date;
  zone: string;
  /** First day of the month. */
  first: string;
  /** Last student of the previous page. */
  valor?: number | undefined;
  last?: string | undefined;
  limit: number;
}

interface Row {
  items: OwedStudent[];
  total: Omit<OwedSessionsPage['total'], 'reserva'> & { meta_reserva: number | null };
}

/** What the first `count` credits of a purchase cost: equal parts, of which the first ones have a cent more. */
const worth = (count: string) => `least(${count}, n) * (pago / n) + least(${count}, pago % n)`;

const WORTH = sql.raw(`(${worth('past + q')}) - (${worth('past')})`);

/**
 * What became of the credits of each purchase (`root`), in the order in which its money is counted to them (`past`: so many before),
 * whichever lots they are in by now.
 */
const owedSessions = statement((db, { now, zone, first, valor, last, limit }: Blanks<Asked>) => {
  const day = (instant: RawBuilder<unknown>) => sql`(${instant} at time zone ${zone}::text)::date`;
  const isInMonth = sql`dia >= ${first}::date and dia < (${first}::date + interval '1 month')::date`;
  return sql<Row>`with recursive tree as (
    select lot_id, lot_id as root from credit_lot_balances where origem is null
    union all
    select l.lot_id, t.root from tree t join credit_lot_balances l on l.origem = t.lot_id
  ), paid as (
    select l.lot_id as root, l.plano_id, sum(c.pago)::bigint as pago,
      max(case when c.lot_id is null then l.quantidade else c.creditos end)::bigint as n,
      (array_agg(c.id order by c.emitida_em desc, c.id))[1] as charge_id
    from charges c join credit_lot_balances l on l.lot_id = coalesce(c.lot_id, c.grant_id)
    where c.status <> 'cancelada' and c.pago > 0 group by l.lot_id, l.plano_id
  ), used as (
    select lot_id, session_id, -sum(quantidade)::int as q, max(position) as position, max(em) as em
    from credit_entries where tipo in ('consumo', 'devolucao')
    group by lot_id, session_id, coalesce(session_id, entry_id) having sum(quantidade) < 0
  ), fates as (
    select u.lot_id, u.q, 'dada' as fate, 0 as turn, u.position, ${day(sql`case when u.session_id is null then u.em else s.inicio end`)} as dia
    from used u left join sessions s on s.id = u.session_id
    union all
    select lot_id, restante, case when is_valid then 'a_dar' else 'vencida' end, case when is_valid then 1 else 2 end, position,
      expira_em
    from (select *, (expires_at is null or expires_at > ${now}::timestamptz) as is_valid from credit_lot_balances) l where restante > 0
    union all
    select lot_id, -quantidade, 'removida', 3, position, ${day(sql`em`)} from credit_entries where tipo = 'ajuste' and quantidade < 0
  ), counted as (
    select f.*, p.*, sum(f.q) over (partition by p.root order by f.turn, f.position, f.lot_id) - f.q as past
    from fates f join tree t using (lot_id) join paid p on p.root = t.root where p.n > 0
  ), priced as (
    select *, (least(past + q, n, pago) - least(past, n, pago))::int as sessoes, (${WORTH})::bigint as valor from counted
  ), lots as (
    select l.student_id, l.lot_id as id, p.charge_id, p.plano_id, p.sessoes, p.valor, l.expira_em,
      case when l.session_id is not null then 'reposicao' when l.origem is not null then 'transferencia' else 'compra' end as origem
    from priced p join credit_lot_balances l using (lot_id) where p.fate = 'a_dar' and p.sessoes > 0
    union all
    select student_id, id, id, plano_id, 0, pago, null, 'entrada' from charges
    where status = 'aberta' and pago > 0 and creditos > 0 and grant_id is null
  ), owed as (
    select student_id, sum(sessoes)::int as sessoes, sum(valor)::bigint as valor from lots group by student_id
  ), shown as (
    select * from owed
    ${last === undefined ? sql`` : sql`where (-valor, student_id) > (-${valor!}::bigint, ${last}::uuid)`}
    order by valor desc, student_id limit ${limit}::bigint
  )
  select (
    select coalesce(json_agg(json_build_object('id', o.student_id, 'nome', s.nome, 'sessoes', o.sessoes, 'valor', o.valor, 'lotes', (
      select json_agg(json_build_object('id', l.id, 'origem', l.origem, 'charge_id', l.charge_id, 'plano', a.nome, 'sessoes', l.sessoes,
        'valor', l.valor, 'expira_em', l.expira_em) order by l.expira_em nulls last, l.id)
      from lots l left join plans a on a.id = l.plano_id where l.student_id = o.student_id
    )) order by o.valor desc, o.student_id), '[]')
    from shown o left join students s on s.id = o.student_id
  ) as items, json_build_object(
    'alunos', (select count(*) from owed),
    'sessoes', (select coalesce(sum(sessoes), 0) from owed),
    'valor', (select coalesce(sum(valor), 0) from owed),
    'sem_valor', (select coalesce(sum(q), 0) from fates where fate = 'a_dar') - (select coalesce(sum(sessoes), 0) from owed),
    'recebido', (select coalesce(sum(t.valor), 0) from transactions t
      join charge_payments p on p.id = t.id join charges c on c.id = p.charge_id
      where (c.creditos > 0 or c.lot_id is not null or c.grant_id is not null)
        and t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date),
    'dadas', (select json_build_object('sessoes', coalesce(sum(sessoes), 0), 'valor', coalesce(sum(valor), 0))
      from priced where fate = 'dada' and ${isInMonth}),
    'sem_sessao', (select json_build_object('sessoes', coalesce(sum(sessoes), 0), 'valor', coalesce(sum(valor), 0))
      from priced where fate in ('vencida', 'removida') and ${isInMonth}),
    'meta_reserva', (select meta_reserva from financial_settings)
  ) as total`.compile(db);
});
