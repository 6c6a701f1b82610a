import { sql } from 'kysely';
import { csvOf } from '../../platform/csv.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { everyRow } from '../../platform/database/every-row.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { shortDate } from '../../platform/portuguese.js';
import { PastTables } from '../../platform/projections/past-tables.js';
import type {
  ExpenseCategory,
  PaymentMethod,
  TransactionKind,
  TransactionSheetQuery,
} from './finance.api.js';
import { entriesOf, type MonthFilters } from './finance.queries.js';
import { categoryNames, methodNames } from './money-words.api.js';
import { lastDayOf } from './month.js';
import { entriesOf as pastEntries } from './past-figures.js';

/** The month's filtered entries as a spreadsheet. */
export const WriteTransactionSheet = defineQuery(
  'WriteTransactionSheet',
  { past: PastTables },
  async ({ context, report: live }, { past }, { month, at, ...filters }: TransactionSheetQuery) => {
    const wanted = pastEntries(`${month}-01`, lastDayOf(month));
    const report = at === undefined ? live : (await past.at(context.tenantId, at, wanted)).read;
    const asked = { first: `${month}-01`, ...filters };
    const rows = await everyRow<Entry>((limit, last) =>
      report(entries({ ...asked, limit, after: last?.id, data: last?.data, recorded: last?.registrada_em })),
    );
    return csvOf(inWords(rows), context.timezone, columns);
  },
);

const kinds: Record<TransactionKind, [entry: string, reversal: string]> = {
  receita: ['Receita', 'Estorno de receita'],
  despesa: ['Despesa', 'Estorno de despesa'],
};

interface Entry {
  id: string;
  data: string;
  registrada_em: Date;
  tipo: TransactionKind;
  descricao: string | null;
  aluno: string | null;
  categoria: ExpenseCategory | null;
  metodo_pagamento: PaymentMethod;
  valor: number;
  motivo: string | null;
  estorno_de: string | null;
  estornada_por: string | null;
  corrigida_por: string | null;
}

const columns = [
  'Data',
  'Tipo',
  'Descrição',
  'Aluno',
  'Categoria',
  'Meio',
  'Valor',
  'Situação',
  'Motivo',
] as const;

/** Rows of the spreadsheet; expenses are negative. */
async function* inWords(
  rows: AsyncIterable<Entry>,
): AsyncGenerator<Record<(typeof columns)[number], unknown>> {
  for await (const { tipo, estorno_de, estornada_por, corrigida_por, ...entry } of rows) {
    const state = corrigida_por ? 'Corrigida' : 'Estornada';
    yield {
      Data: shortDate(entry.data),
      Tipo: kinds[tipo][estorno_de ? 1 : 0],
      Descrição: entry.descricao,
      Aluno: entry.aluno,
      Categoria: entry.categoria && categoryNames[entry.categoria],
      Meio: methodNames[entry.metodo_pagamento],
      Valor: tipo === 'receita' ? entry.valor : -entry.valor,
      Situação: estornada_por ? state : '',
      Motivo: entry.motivo,
    };
  }
}

interface Place extends MonthFilters {
  limit: number;
  /** The last row of the previous page. */
  after?: string | undefined;
  data?: string | undefined;
  recorded?: Date | undefined;
}

/** Oldest first. */
const entries = statement((db, { limit, after, data, recorded, ...filters }: Blanks<Place>) =>
  entriesOf(db, filters)
    .select(sql<TransactionKind>`t.tipo`.as('tipo'))
    .select(sql<ExpenseCategory | null>`t.categoria`.as('categoria'))
    .select(sql<PaymentMethod>`t.metodo_pagamento`.as('metodo_pagamento'))
    .select(['t.id', 't.data', 't.registrada_em'])
    .select(['t.descricao', 's.nome as aluno', 't.valor', 't.motivo'])
    .select(['t.estorno_de', 't.estornada_por', 't.corrigida_por'])
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
