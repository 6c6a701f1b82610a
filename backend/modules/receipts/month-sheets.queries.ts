import { startOfMinute } from 'date-fns';
import { type Kysely, sql } from 'kysely';
import { Config } from '../../platform/config/env.js';
import { csvOf } from '../../platform/csv.js';
import { defineQuery, type Reading } from '../../platform/database/define-query.js';
import { everyRow } from '../../platform/database/every-row.js';
import type { DB } from '../../platform/database/schema.generated.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { Problem } from '../../platform/http/problem.js';
import type { AtMoment } from '../../platform/http/common.api.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { dayAndTime, shortDate } from '../../platform/portuguese.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { lastDayOf } from '../finance/month.js';
import type { ExpenseCategory } from '../finance/finance.api.js';
import {
  DEDUCTIBLE,
  expenseLine,
  incomeLine,
  MOST_WEB_LINES,
  type WebExpense,
  type WebIncome,
} from './carne-leao-web.js';
import { monthCodeOf, monthSealedBy, newestOfMonth } from './month-seal.queries.js';
import type { MonthReport } from './month-report.pdf.js';
import { formatDocument } from '../students/document.api.js';
import type { WebFile, WebFileQuery } from './receipts.api.js';

/** Maximum of printed rows, because other files wait meanwhile. */
const MOST_PRINTED = 500;

/** The tables that a month's files follow from. */
const filesOf = (month: string): WantedTables => ({
  tables: [
    'transactions',
    'charges',
    'charge_payments',
    'students',
    'receipts',
    'receipt_issuers',
    'receipt_entries',
    'student_payers',
    'payers',
  ],
  inClear: true,
  only: [{ of: 'transactions', field: 'data', first: `${month}-01`, last: lastDayOf(month) }],
});

/** Reads the month as it was at a moment, or as it is. */
const readerOf = async (
  past: PastTables,
  { context, report }: Reading,
  month: string,
  at: string | undefined,
) => (at === undefined ? report : (await past.at(context.tenantId, at, filesOf(month))).read);

/** A month's receitas with their payers, for the accountant's Carnê-Leão. */
export const WriteCarneLeao = defineQuery(
  'WriteCarneLeao',
  { past: PastTables },
  async (asking, { past }, month: string, { at }: AtMoment) => {
    const report = await readerOf(past, asking, month, at);
    const first = `${month}-01`;
    const rows = await everyRow<Income>((limit, last) =>
      report(income({ first, limit, after: last?.id, data: last?.data, recorded: last?.registrada_em })),
    );
    return csvOf(inWords(rows), asking.context.timezone, columns);
  },
);

interface Income {
  id: string;
  data: string;
  registrada_em: Date;
  valor: number;
  pagador: string | null;
  cpf: string | null;
  descricao: string | null;
  recibo: number | null;
}

const columns = ['Data', 'Valor', 'Quem pagou', 'CPF', 'Referente a', 'Recibo'] as const;

async function* inWords(
  rows: AsyncIterable<Income>,
): AsyncGenerator<Record<(typeof columns)[number], unknown>> {
  for await (const { data, valor, pagador, cpf, descricao, recibo } of rows)
    yield {
      Data: shortDate(data),
      Valor: valor,
      'Quem pagou': pagador,
      CPF: cpf && formatDocument(cpf),
      'Referente a': descricao,
      Recibo: recibo,
    };
}

/** A month's receitas, or its deductible despesas, in the layout that the Carnê-Leão Web imports; `part`: a file of so many lines. */
export const WriteCarneLeaoWeb = defineQuery(
  'WriteCarneLeaoWeb',
  { past: PastTables },
  async (asking, { past }, month: string, file: WebFile, { parte, at }: WebFileQuery): Promise<string> => {
    const report = await readerOf(past, asking, month, at);
    const place = { first: `${month}-01`, skip: (parte - 1) * MOST_WEB_LINES };
    const lines =
      file === 'rendimentos'
        ? (await report(webIncome(place))).map(incomeLine)
        : (await report(webExpenses(place))).map(expenseLine);
    if (lines.length === 0) throw new Problem(`receipts.no_${file}`);
    return lines.join('\r\n');
  },
);

/** A month's receitas and despesas as a file to print. */
export const PrintMonth = defineQuery(
  'PrintMonth',
  { config: Config, pdfs: PdfWriter, past: PastTables },
  async (asking, { config, pdfs, past }, month: string, { at }: AtMoment): Promise<Buffer> => {
    const report = await readerOf(past, asking, month, at);
    const { tenantId, timezone } = asking.context;
    const until = at === undefined ? null : await past.positionAt(tenantId, at);
    const [newest] = await asking.report(newestOfMonth({ month, until }));
    const [sealed] = newest ? await asking.report(monthSealedBy(newest)) : [];
    const lacre = newest && sealed ? monthCodeOf(newest, sealed) : null;
    const first = `${month}-01`;
    const rows = await report(reported({ first }));
    const [prestador = null] = await report(issuer({}));
    const [totals] = await report(totalsOf({ first }));
    const [receitas, despesas] = ['receita', 'despesa'].map((kind) =>
      rows.filter(({ tipo }) => tipo === kind),
    );
    return pdfs.write<MonthReport>(tenantId, 'month', {
      month,
      prestador,
      ...totals!,
      receitas: receitas!,
      despesas: despesas!,
      writtenAt: startOfMinute(asking.now),
      lacre,
      verificacao: `${config.siteUrl}/verificar/${lacre ?? ''}`,
      ...(at !== undefined && { asOf: dayAndTime(new Date(at), timezone) }),
    });
  },
);

const issuer = statement((db) =>
  db.selectFrom('receipt_issuers').select(['nome', 'documento', 'cref']).compile(),
);

const reported = statement((db, { first }: Blanks<{ first: string }>) =>
  standing(db, first)
    .select(['t.data', 't.tipo', 't.valor', 'r.cpf', 'r.numero as recibo'])
    .select(sql<ExpenseCategory | null>`t.categoria`.as('categoria'))
    .select(PAID_BY.as('pagador'))
    .select(DESCRIPTION.as('descricao'))
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(MOST_PRINTED)
    .compile(),
);

const totalsOf = statement((db, { first }: Blanks<{ first: string }>) =>
  standing(db, first)
    .select(sql<number>`count(*)::int`.as('quantidade'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'receita'), 0)::bigint`.as('recebido'))
    .select(sql<number>`coalesce(sum(t.valor) filter (where t.tipo = 'despesa'), 0)::bigint`.as('gasto'))
    .compile(),
);

/** A receita of a charge only says that it was one; what a receipt of several says is of all. */
const DESCRIPTION = sql<
  string | null
>`coalesce(case when r.id = t.id then r.descricao end, k.descricao, t.descricao)`;

/** Until a receipt says it: the payer, who is that of the day of a charge's payment, or the student. */
const PAID_BY = sql<string | null>`coalesce(r.nome, y.nome, s.nome)`;

/** The month's entries that are not reversed, with payer, charge and receipt. */
const standing = (db: Kysely<DB>, first: Blanks<{ first: string }>['first']) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('receipt_entries as e', (join) =>
      sameTenant(join, 'e.id', 't.id').on('e.cancelada', '=', false),
    )
    .leftJoin('receipts as r', (join) => sameTenant(join, 'r.id', 'e.receipt_id'))
    .leftJoin('charge_payments as c', (join) => sameTenant(join, 'c.id', 't.id'))
    .leftJoin('charges as k', (join) => sameTenant(join, 'k.id', 'c.charge_id'))
    .leftJoin('students as s', (join) =>
      join
        .onRef('s.tenant_id', '=', 't.tenant_id')
        .on('s.id', '=', sql<string>`coalesce(t.student_id, c.student_id)`),
    )
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 't.student_id'))
    .leftJoin('payers as y', (join) =>
      join
        .onRef('y.tenant_id', '=', 't.tenant_id')
        .on('y.id', '=', sql<string>`case when c.id is null then l.payer_id else c.payer_id end`),
    )
    .where('t.estorno_de', 'is', null)
    .where('t.estornada_por', 'is', null)
    .where(sql<boolean>`t.data >= ${first}::date and t.data < (${first}::date + interval '1 month')::date`);

interface Place {
  first: string;
  limit: number;
  /** The row before the first one. */
  after?: string | undefined;
  data?: string | undefined;
  recorded?: Date | undefined;
}

const income = statement((db, { first, limit, after, data, recorded }: Blanks<Place>) =>
  standing(db, first)
    .select(['t.id', 't.data', 't.registrada_em', 't.valor', 'r.cpf', 'r.numero as recibo'])
    .select(PAID_BY.as('pagador'))
    .select(DESCRIPTION.as('descricao'))
    .where('t.tipo', '=', 'receita')
    .$if(after !== undefined, (found) =>
      found.where(
        sql<boolean>`(t.data, t.registrada_em, t.id) > (${data!}::date, ${recorded!}::timestamptz, ${after!}::uuid)`,
      ),
    )
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(limit)
    .compile(),
);

interface WebPlace {
  first: string;
  skip: number;
}

const webLines = (db: Kysely<DB>, { first, skip }: Blanks<WebPlace>) =>
  standing(db, first)
    .select(['t.data', 't.valor'])
    .select(DESCRIPTION.as('descricao'))
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(MOST_WEB_LINES)
    .offset(sql<number>`${skip}::int`);

const webIncome = statement((db, place: Blanks<WebPlace>) =>
  webLines(db, place)
    // Somebody else may have the student's name.
    .select(sql<string | null>`case when r.payer_id is null then r.nome end`.as('pagador'))
    .select(['r.cpf as documento', 's.nome as aluno'])
    .where('t.tipo', '=', 'receita')
    .$castTo<WebIncome>()
    .compile(),
);

const webExpenses = statement((db, place: Blanks<WebPlace>) =>
  webLines(db, place)
    .select('t.categoria')
    .where('t.tipo', '=', 'despesa')
    .where('t.categoria', 'in', DEDUCTIBLE)
    .$castTo<WebExpense>()
    .compile(),
);
