import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { csvOf } from '../../platform/csv.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type {
  ExpenseCategory,
  PaymentMethod,
  TransactionKind,
  TransactionSheetQuery,
} from './finance.api.js';
import { entriesOf, type MonthFilters } from './finance.queries.js';
import { categoryNames, methodNames } from './money-words.api.js';

/** Of a month whose sheet is longer, the rest is left out. */
const LONGEST = 5_000;

/** The month's history, as it is narrowed, for a spreadsheet. */
export class WriteTransactionSheet extends Query<string> {
  constructor(
    readonly context: RequestContext,
    readonly asked: TransactionSheetQuery,
  ) {
    super();
  }
}

@QueryHandler(WriteTransactionSheet)
export class WriteTransactionSheetHandler implements IQueryHandler<WriteTransactionSheet> {
  constructor(private readonly database: Database) {}

  async execute({ context, asked: { month, ...filters } }: WriteTransactionSheet): Promise<string> {
    const rows = await this.database.report(context.tenantId, entries({ first: `${month}-01`, ...filters }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows.map(inWords)), context.timezone)) text += part;
    return text;
  }
}

const kinds: Record<TransactionKind, [entry: string, reversal: string]> = {
  receita: ['Receita', 'Estorno de receita'],
  despesa: ['Despesa', 'Estorno de despesa'],
};

interface Entry {
  data: string;
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

/** A row as people read it; what goes out is negative. */
function inWords({ tipo, estorno_de, estornada_por, corrigida_por, ...entry }: Entry) {
  const state = corrigida_por ? 'Corrigida' : 'Estornada';
  return {
    Data: entry.data,
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

/** Oldest first. */
const entries = statement((db, filters: Blanks<MonthFilters>) =>
  entriesOf(db, filters)
    .select(sql<string>`to_char(t.data, 'DD/MM/YYYY')`.as('data'))
    .select(sql<TransactionKind>`t.tipo`.as('tipo'))
    .select(sql<ExpenseCategory | null>`t.categoria`.as('categoria'))
    .select(sql<PaymentMethod>`t.metodo_pagamento`.as('metodo_pagamento'))
    .select(['t.descricao', 's.nome as aluno', 't.valor', 't.motivo'])
    .select(['t.estorno_de', 't.estornada_por', 't.corrigida_por'])
    .orderBy('t.data')
    .orderBy('t.registrada_em')
    .orderBy('t.id')
    .limit(LONGEST)
    .compile(),
);
