import { sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { inTurns } from '../../platform/turns.js';
import { owedOn } from '../charges/charge-terms.api.js';
import { openCharge } from '../charges/charges.queries.js';
import { UNDONE } from '../finance/finance.api.js';
import type { BankLine, ComparedLine, ComparedLines } from './bank-lines.api.js';
import { LineIds } from './line-ids.service.js';
import { comparing, namedIn, REFUND_DAYS, refundedBy } from './matching.js';

/** Lines that are compared in one turn of the event loop: a few milliseconds. */
const LINES_AT_ONCE = 20;
/** Maximum of open charges to compare, earliest due date first. */
const MOST_CHARGES = 2000;
/** Maximum of students to compare, and of refunds. */
const MOST_STUDENTS = 5000;
const MOST_REFUNDS = 500;
/** Days around a line within which an entry may be the same money, and a charge may be due. */
const SIMILAR_DAYS = 3;
const DUE_DAYS = 90;

/** Compares the lines of a statement with charges and entries. */
export const CompareLines = defineQuery(
  'CompareLines',
  { ids: LineIds },
  async (
    { context: { tenantId, timezone }, read },
    { ids },
    lines: readonly BankLine[],
  ): Promise<ComparedLines> => {
    if (lines.length === 0) return { items: [] };
    const asked = lines.map(({ chave, data, valor, iguais = 1 }) => ({
      id: ids.idOf(tenantId, chave),
      data,
      valor,
      iguais,
    }));
    const days = lines.map(({ data }) => data).sort();
    const period = { from: days[0]!, to: days.at(-1)! };
    const isAny = (sign: number) => lines.some(({ valor }) => Math.sign(valor) === sign);
    const [known, charges, named, refunds] = await Promise.all([
      read(knownOf({ lines: JSON.stringify(asked) })),
      read(openCharges(period)),
      isAny(1) ? read(students({})) : [],
      isAny(-1) ? read(freeRefunds({ ...period, timezone })) : [],
    ]);
    const byId = new Map(known.map((one) => [one.id, one]));
    const candidatesFor = comparing(
      charges.map(({ aberto, ...charge }) => ({ ...charge, totalOn: (day) => owedOn(aberto, day).total })),
    );
    const studentOf = namedIn(named);
    const items = await inTurns([...lines.entries()], LINES_AT_ONCE, ([at, line]): ComparedLine => {
      const { chave } = line;
      const { situacao, repetida, parecida_id, descricao, data } = byId.get(asked[at]!.id)!;
      if (situacao === 'registrada') return { ...nothing, chave, situacao };
      const parecida = parecida_id ? { id: parecida_id, descricao, data: data! } : null;
      const devolucao = refundedBy(line, refunds);
      return {
        chave,
        situacao,
        candidatas: candidatesFor(line),
        parecida,
        devolucao,
        repetida,
        aluno: studentOf(line),
      };
    });
    return { items };
  },
);

const nothing = { candidatas: [], parecida: null, devolucao: null, aluno: null, repetida: false };

interface Known {
  id: string;
  situacao: ComparedLine['situacao'];
  repetida: boolean;
  parecida_id: string | null;
  descricao: string | null;
  data: string | null;
}

/**
 * The decision about each line, if it was not reversed, and what may be the same payment: other lines, and an entry.
 */
const knownOf = statement((db, { lines }: Blanks<{ lines: string }>) =>
  db
    .selectFrom(
      sql<Known>`(
        select distinct on (l.id) l.id,
          case
            when exists (select from bank_line_entries e where e.line_id = l.id) then 'registrada'
            when d.decisao = 'fora' then 'fora'
            else 'nova'
          end as situacao,
          (select count(distinct e.line_id) >= l.iguais from bank_line_entries e
            where e.data = l.data and e.valor = l.valor and e.line_id <> l.id) as repetida,
          s.id as parecida_id, s.descricao, s.data
        from jsonb_to_recordset(${lines}::jsonb) as l(id uuid, data date, valor bigint, iguais int)
        left join bank_lines d on d.id = l.id
        left join lateral (
          select t.id, t.descricao, t.data from transactions t
          where t.data between l.data - ${sql.raw(String(SIMILAR_DAYS))} and l.data + ${sql.raw(String(SIMILAR_DAYS))}
            and t.valor = abs(l.valor) and t.tipo = case when l.valor > 0 then 'receita' else 'despesa' end
            and t.estorno_de is null and t.estornada_por is null
            and not exists (select from bank_line_entries e where e.transaction_id = t.id)
          order by abs(t.data - l.data), t.id limit 1
        ) s on true
        order by l.id)`.as('k'),
    )
    .selectAll()
    .compile(),
);

const openCharges = statement((db, { from, to }: Blanks<{ from: string; to: string }>) =>
  db
    .selectFrom('charges as c')
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'c.student_id'))
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 'c.student_id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id'))
    .select(['c.id', 's.nome as student_nome', 'y.nome as pagador_nome', 'c.descricao', 'c.vencimento'])
    .select([sql<number>`c.valor - c.pago`.as('falta'), openCharge.as('aberto')])
    .where('c.status', '=', 'aberta')
    .where(
      sql<boolean>`c.vencimento between ${from}::date - ${sql.raw(String(DUE_DAYS))} and ${to}::date + ${sql.raw(String(DUE_DAYS))}`,
    )
    .orderBy('c.vencimento')
    .orderBy('c.id')
    .limit(MOST_CHARGES)
    .compile(),
);

const students = statement((db) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 's.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id'))
    .select(['s.id', sql<string>`s.nome`.as('nome')])
    .select(sql<string | null>`coalesce(y.nome, s.responsavel_nome)`.as('pagador_nome'))
    .where('s.status', '=', 'active')
    .where('s.nome', 'is not', null)
    .limit(MOST_STUDENTS)
    .compile(),
);

/** Refunds of charges, and reversals of other receitas by hand, that were recorded around the lines and belong to none. */
const freeRefunds = statement(
  (db, { from, to, timezone }: Blanks<{ from: string; to: string; timezone: string }>) =>
    db
      .selectFrom('transactions as e')
      .innerJoin('transactions as t', (join) => sameTenant(join, 't.id', 'e.estorno_de'))
      .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 'e.id'))
      .leftJoin('students as s', (join) =>
        join
          .onRef('s.tenant_id', '=', 'e.tenant_id')
          .on('s.id', '=', sql<string>`coalesce(p.student_id, e.student_id)`),
      )
      .select(['t.id', 's.nome as student_nome', 'e.descricao'])
      .select(sql<number>`coalesce(p.devolvido, -e.valor)`.as('valor'))
      .select(sql<string>`(e.registrada_em at time zone ${timezone})::date`.as('dia'))
      .where('e.tipo', '=', 'receita')
      .where(
        sql<boolean>`(p.devolvido is not null
          or (p.id is null and t.corrigida_por is null and e.motivo is distinct from ${UNDONE}))`,
      )
      .where(
        sql<boolean>`(e.registrada_em at time zone ${timezone})::date
          between ${from}::date - ${sql.raw(String(REFUND_DAYS))} and ${to}::date + ${sql.raw(String(REFUND_DAYS))}`,
      )
      .where(sql<boolean>`not exists (select from bank_line_entries b where b.transaction_id = e.id)`)
      .orderBy('e.registrada_em')
      .orderBy('e.id')
      .limit(MOST_REFUNDS)
      .compile(),
);
