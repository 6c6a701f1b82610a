import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { plural } from '../../platform/plural.api.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import type {
  CreditLot,
  CreditStatement,
  LowCredits,
  LowCreditsPage,
  LowCreditsQuery,
  StatementLine,
  StatementQuery,
} from './credits.api.js';
import { sealCodeOf } from '../seals/seal-code.js';
import { firstHash } from '../../platform/event-store/stored-events.js';
import { everAccountsOf, usesShared } from '../students/credit-accounts.queries.js';
import { EXPIRY_NOTICE_DAYS, LOW_BALANCE } from '../students/students.api.js';

interface Asked {
  studentId: string;
  /** The instant that it is. */
  at: string;
  /** Whether grants that are not paid are of interest, which are only known as they are now. */
  isNow: boolean;
  before: number | null;
  limit: number;
  /** The day of `at` in the tenant's zone. */
  day: string;
}

interface Row {
  saldo: number;
  lotes: CreditLot[];
  divisao: Omit<CreditStatement['divisao'], 'texto'>;
  extrato: (StatementLine & { n: number })[];
  pausado_ate: string | null;
  ultimo: { position: number; hash: string } | null;
}

/** How many are named who use a student's credits. */
const MOST_SHARING = 20;

/** What a student's account follows from; sessions are those that were theirs at any time, and all where others use their credits. */
const accountOf = (studentId: string, isShared: boolean): WantedTables => ({
  tables: [
    'credit_entries',
    'credit_notes',
    'credit_sharing',
    'credit_transfers',
    'students',
    'student_pauses',
    'plans',
    'locations',
    'sessions',
  ],
  inClear: true,
  only: [
    ...(isShared
      ? []
      : [{ of: 'sessions', field: 'student_id', first: studentId, last: studentId, streams: true }]),
    // Uses by sessions have no notes.
    { of: 'credit_notes', field: 'causa', first: 'manual', last: 'manual' },
  ],
});

/** Whether other students have ever used the student's credits. */
const everShared = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  sql<{ shared: boolean }>`select exists (
    select from credit_sharing s where ${studentId}::uuid = any(${everAccountsOf(sql`s.id`)})) as shared`.compile(
    db,
  ),
);

export const GetCreditStatement = defineQuery(
  'GetCreditStatement',
  { past: PastTables },
  async (
    { context, read: readNow },
    { past },
    studentId: string,
    query: StatementQuery,
  ): Promise<CreditStatement> => {
    const { cursor, limit, at } = query;
    const [found] = at === undefined ? [] : await readNow(everShared({ studentId }));
    const { now, read } = await past.at(context.tenantId, at, accountOf(studentId, Boolean(found?.shared)));
    const before = cursor === undefined ? null : Number(cursor);
    const [row] = await read(
      account({
        studentId,
        at: now.toISOString(),
        isNow: at === undefined,
        before,
        limit: limit + 1,
        day: dateOf(now, context.timezone),
      }),
    );
    if (!row) throw new Problem(at === undefined ? 'students.not_found' : 'past.not_there');
    const lines = row.extrato.slice(0, limit);
    return {
      at,
      saldo: row.saldo,
      disponivel: row.saldo + (row.divisao.usa?.saldo ?? 0),
      divisao: sharedInWords(row.divisao),
      lotes: row.lotes.map((lot) => ({ ...lot, criado_em: new Date(lot.criado_em).toISOString() })),
      extrato: {
        items: lines.map(shown),
        next: row.extrato.length > limit ? String(lines.at(-1)!.n) : null,
      },
      pausado_ate: row.pausado_ate,
      lacre: row.ultimo && sealCodeOf({ tenantId: context.tenantId, ...row.ultimo }),
    };
  },
);

/**
 * The account, at the instant that it is. The credits of a lot expire in one line at its
 * expiry; a credit that is returned later expires at its return. Lines are only appended, so their number `n` is a stable
 * cursor. Entries come from processes whose clocks differ: they are ordered as in the log, and `turn_at` is a time that
 * never decreases in that order, so that no balance in between is negative. What a line says besides is looked up by its id, and not
 * joined: a plan of joins takes long to make, and one that was made for a trainer without data compares all rows of a large one's.
 */
const account = statement((db, { studentId, at, isNow, before, limit, day }: Blanks<Asked>) =>
  sql<Row>`
  with entries as (
    select *, max(em) over (order by position) as turn_at from credit_entries
    where student_id = ${studentId}
  ), lots as (
    select l.*, e.restante_entao
    from (select tenant_id, lot_id, sum(quantidade)::int as restante_entao from entries group by tenant_id, lot_id) e
    join credit_lot_balances l using (tenant_id, lot_id)
  ), usable as (
    select * from lots where restante_entao > 0 and (expires_at is null or expires_at > ${at}::timestamptz)
  ), lines as (
    select entry_id::text as id, turn_at, 0 as turn, position, em, tipo, sum(quantidade)::int as quantidade, causa, plano_id,
      session_id, user_id, case when count(*) = 1 then min(lot_id::text) end as lote_id, entry_id
    from entries group by position, entry_id, turn_at, em, tipo, causa, plano_id, session_id, user_id
    union all
    select 'expiracao:' || l.lot_id || ':' || max(e.position), greatest(max(e.turn_at), l.expires_at), 1,
      max(e.position), greatest(e.em, l.expires_at),
      'expiracao', -sum(e.quantidade)::int, null, l.plano_id, null, null, l.lot_id::text, null
    from lots l join entries e on e.lot_id = l.lot_id
    where l.expires_at <= ${at}::timestamptz
    group by l.lot_id, l.plano_id, l.expires_at, greatest(e.em, l.expires_at) having sum(e.quantidade) <> 0
  ), numbered as (
    select *, row_number() over w::int as n, sum(quantidade) over w::int as saldo
    from lines window w as (order by turn_at, turn, position, id)
  ), last as (
    select * from numbered where ${before}::int is null or n < ${before}::int order by n desc limit ${limit}::bigint
  )
  select
    (select coalesce(sum(restante_entao), 0)::int from usable) as saldo,
    (select coalesce(json_agg(json_build_object('id', u.lot_id, 'quantidade', u.quantidade, 'restante', u.restante_entao,
       'plano_id', u.plano_id, 'plano_nome', p.nome, 'criado_em', u.criado_em, 'expira_em', u.expira_em, 'reposicao', u.session_id is not null, 'transferido', u.origem is not null and u.session_id is null)
       order by (u.session_id is null), u.expires_at nulls last, u.position), '[]')
     from usable u left join plans p on p.id = u.plano_id) as lotes,
    json_build_object(
      'usa', (select json_build_object('id', d.id, 'nome', d.nome, 'saldo', (select coalesce(sum(b.restante), 0)::int
          from credit_lot_balances b where b.student_id = d.id and b.restante > 0
            and (b.expires_at is null or b.expires_at > ${at}::timestamptz)))
        from credit_sharing k join students d on d.id = k.dono_id where k.id = st.id),
      'com', (select coalesce(json_agg(json_build_object('id', m.id, 'nome', m.nome) order by m.busca, m.id), '[]') from (
        select m.* from credit_sharing k join students m on m.id = k.id and m.status <> 'removed'
        where k.dono_id = st.id order by m.busca, m.id limit ${sql.lit(MOST_SHARING)}) m)) as divisao,
    (select coalesce(json_agg(to_json(x) order by x.n desc), '[]') from (
      select n.id, n.tipo, n.quantidade, n.saldo, n.em, n.lote_id, n.position as posicao, n.causa,
        case when n.session_id is null
          then (select c.motivo from credit_notes c where c.tenant_id = st.tenant_id and c.id = n.entry_id) end as motivo,
        n.plano_id, (select p.nome from plans p where p.tenant_id = st.tenant_id and p.id = n.plano_id) as plano_nome,
        n.session_id, n.user_id, n.n,
        (select json_build_object('inicio', s.inicio, 'local_nome',
            (select l.nome from locations l where l.tenant_id = st.tenant_id and l.id = s.location_id), 'excluida', s.deleted)
          from sessions s where s.tenant_id = st.tenant_id and s.id = n.session_id) as sessao,
        (select json_build_object('id', o.id, 'nome', o.nome) from sessions s
          join students o on o.id = s.student_id
          where s.tenant_id = st.tenant_id and s.id = n.session_id and s.student_id <> st.id
            and st.id = any(${everAccountsOf(sql`s.student_id`)})) as de_aluno,
        case when n.causa = 'transferencia' then (
          select json_build_object('id', o.id, 'nome', o.nome) from credit_transfers t
          left join students o on o.tenant_id = t.tenant_id and o.id = case when t.de = ${studentId} then t.para else t.de end
          where t.tenant_id = st.tenant_id and t.id = n.entry_id) end as outro_aluno,
        coalesce(${isNow}::boolean and n.tipo = 'transferencia' and (
          select not t.desfeita from credit_transfers t where t.tenant_id = st.tenant_id and t.id = n.entry_id), false) as pode_desfazer,
        (select json_build_object(
            'situacao', case when g.paga then 'paga' when g.charge_id is not null then 'cobrada'
              when g.dispensada then 'dispensada' else 'sem_cobranca' end,
            'cobranca', (select json_build_object('id', h.id,
                'falta', case h.status when 'aberta' then h.valor - h.pago else 0 end, 'vencimento', h.vencimento)
              from charges h where h.tenant_id = st.tenant_id and h.id = g.charge_id))
          from plan_grants g
          where ${isNow}::boolean and n.tipo = 'concessao' and g.tenant_id = st.tenant_id and g.lot_id = n.entry_id) as pagamento
      from last n) x) as extrato,
    (select u.ate from student_pauses u where u.id = ${studentId}
       and ${day}::date between u.desde and u.ate) as pausado_ate,
    (select json_build_object('position', e.position, 'hash', ${sql.raw(firstHash('e'))}) from events e
     where e.position = (select max(position) from entries)) as ultimo
  from students st where st.id = ${studentId} and st.status <> 'removed'`.compile(db),
);

/** With whom the credits are shared, also in a sentence. */
export function sharedInWords({ usa, com }: Row['divisao']): CreditStatement['divisao'] {
  if (usa)
    return {
      usa,
      com,
      texto: `${plural(usa.saldo, 'crédito', 'créditos')} de ${usa.nome ?? 'aluno apagado'}, para usar depois dos próprios.`,
    };
  if (com.length === 0) return { usa, com, texto: null };
  const names = list(com.map(({ nome }) => nome ?? 'aluno apagado'));
  return { usa, com, texto: `${names} também ${com.length === 1 ? 'usa' : 'usam'} estes créditos.` };
}

const list = (names: readonly string[]) => new Intl.ListFormat('pt-BR').format(names);

function shown(line: StatementLine): StatementLine {
  return {
    id: line.id,
    tipo: line.tipo,
    quantidade: line.quantidade,
    saldo: line.saldo,
    em: new Date(line.em).toISOString(),
    lote_id: line.lote_id,
    posicao: line.posicao,
    causa: line.causa,
    motivo: line.motivo,
    plano_id: line.plano_id,
    plano_nome: line.plano_nome,
    session_id: line.session_id,
    sessao: line.sessao && { ...line.sessao, inicio: new Date(line.sessao.inicio).toISOString() },
    de_aluno: line.de_aluno,
    outro_aluno: line.outro_aluno,
    pode_desfazer: line.pode_desfazer,
    user_id: line.user_id,
    pagamento: line.pagamento,
  };
}

const DAY_MS = 86_400_000;
const place = z.tuple([z.int(), id]);

/** A student without a plan is never listed, nor is one who uses another's credits: there is nothing to renew. */
export const ListLowCredits = defineQuery(
  'ListLowCredits',
  async ({ now, read }, list: LowCreditsQuery): Promise<LowCreditsPage> => {
    const { limit, cursor } = list;
    const soon = new Date(now.getTime() + EXPIRY_NOTICE_DAYS * DAY_MS);
    const [creditos, after] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const rows = await read(low({ now, soon, creditos, last: after, limit: limit + 1 }));
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(({ nome, ...student }) => ({ ...student, nome: nome ?? 'Aluno apagado' })),
      next: rows.length > limit && last ? encodeCursor([last.creditos, last.id]) : null,
    };
  },
);

interface LowAsked {
  now: Date;
  soon: Date;
  /** Last row of the previous page. */
  creditos?: number | undefined;
  last?: string | undefined;
  limit: number;
}

const low = statement((db, { now, soon, creditos, last, limit }: Blanks<LowAsked>) =>
  db
    .with('usable', (with_) =>
      with_
        .selectFrom('credit_lot_balances')
        .select('student_id')
        .select(sql<number>`sum(restante)::int`.as('creditos'))
        .select(
          sql<number>`coalesce(sum(restante) filter (where expires_at <= ${soon}), 0)::int`.as('a_vencer'),
        )
        .select(sql<string | null>`min(expira_em) filter (where expires_at <= ${soon})`.as('vence_em'))
        .where('restante', '>', 0)
        .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
        .groupBy('student_id'),
    )
    .selectFrom('students as s')
    .leftJoin('usable as u', 'u.student_id', 's.id')
    .leftJoin('plans as p', (join) =>
      join.onRef('p.tenant_id', '=', 's.tenant_id').onRef('p.id', '=', 's.plano_id'),
    )
    .select(['s.id', 's.nome', 'u.vence_em'])
    .select(
      sql<LowCredits['plano']>`case when p.nome is not null then
        json_build_object('id', p.id, 'nome', p.nome, 'creditos', p.creditos, 'valor', p.valor) end`.as(
        'plano',
      ),
    )
    .select(sql<number>`coalesce(u.creditos, 0)`.as('creditos'))
    .select(sql<number>`coalesce(u.a_vencer, 0)`.as('a_vencer'))
    .where('s.status', '=', 'active')
    .where(
      sql<boolean>`(p.creditos > 0 and not ${usesShared} and coalesce(u.creditos, 0) <= ${LOW_BALANCE} or u.a_vencer > 0)`,
    )
    .$if(last !== undefined, (found) =>
      found.where(
        sql<boolean>`(coalesce(u.creditos, 0), s.busca, s.id)
              > (select ${creditos!}::int, busca, id from students where id = ${last!})`,
      ),
    )
    .orderBy('creditos')
    .orderBy('s.busca')
    .orderBy('s.id')
    .limit(limit)
    .compile(),
);
