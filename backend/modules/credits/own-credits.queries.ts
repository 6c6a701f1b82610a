import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { startOfMinute } from 'date-fns';
import { Clock } from '../../platform/clock.js';
import { csvOf } from '../../platform/csv.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { PdfWriter } from '../../platform/pdf/pdf-writer.service.js';
import { dayAndTime } from '../../platform/portuguese.js';
import {
  type CreditStatement,
  lineKinds,
  type OwnStatementQuery,
  type StatementLine,
  type StatementQuery,
} from './credits.api.js';
import { GetCreditStatement } from './credits.queries.js';
import type { OwnStatementFile } from './own-statement.pdf.js';

/** The student's own account, without the trainer's private notes. */
export class GetOwnStatement extends Query<CreditStatement> {
  constructor(
    readonly context: RequestContext,
    readonly query: StatementQuery,
  ) {
    super();
  }
}

@QueryHandler(GetOwnStatement)
export class GetOwnStatementHandler implements IQueryHandler<GetOwnStatement> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ context, query }: GetOwnStatement): Promise<CreditStatement> {
    const account = await this.queries.execute(new GetCreditStatement(context, context.studentId!, query));
    const items = account.extrato.items.map((line) => ({
      ...{ ...line, motivo: null, outro_aluno: null, user_id: null },
    }));
    return { ...account, extrato: { ...account.extrato, items } };
  }
}

/** The student's own statement as CSV, newest line first. */
export class WriteOwnStatement extends Query<string> {
  constructor(
    readonly context: RequestContext,
    readonly query: OwnStatementQuery,
  ) {
    super();
  }
}

/** The oldest lines of a longer statement are omitted. */
const LONGEST = 5_000;
const LONGEST_PRINTED = 1_000;

const columns = ['data', 'lancamento', 'quantidade', 'saldo', 'por_que'] as const;

@QueryHandler(WriteOwnStatement)
export class WriteOwnStatementHandler implements IQueryHandler<WriteOwnStatement> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ context, query }: WriteOwnStatement): Promise<string> {
    const { extrato } = await this.queries.execute(wholeOf(context, query, LONGEST));
    const rows = extrato.items.map((line): Record<(typeof columns)[number], unknown> => ({
      ...{ data: new Date(line.em), lancamento: lineKinds[line.tipo], quantidade: line.quantidade },
      ...{ saldo: line.saldo, por_que: reasonOf(line, context.timezone) },
    }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows), context.timezone, columns)) text += part;
    return text;
  }
}

/** The student's own statement as a PDF, newest line first. */
export class PrintOwnStatement extends Query<Buffer> {
  constructor(
    readonly context: RequestContext,
    readonly query: OwnStatementQuery,
  ) {
    super();
  }
}

@QueryHandler(PrintOwnStatement)
export class PrintOwnStatementHandler implements IQueryHandler<PrintOwnStatement> {
  constructor(
    private readonly pdfs: PdfWriter,
    private readonly queries: QueryBus,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, query }: PrintOwnStatement): Promise<Buffer> {
    const [account, [who]] = await Promise.all([
      this.queries.execute(wholeOf(context, query, LONGEST_PRINTED)),
      this.database.read(context.tenantId, nameOf({ studentId: context.studentId! })),
    ]);
    // A minute is what it prints, so that a file that is requested again is the one already drawn.
    const writtenAt = startOfMinute(this.clock.now());
    // A file downloaded by a link can be passed on as easily as the link, so it contains no full names.
    const nome = (context.byLink ? who?.nome?.split(' ')[0] : who?.nome) ?? null;
    const { timezone: zone } = context;
    const linhas = account.extrato.items.map((line) => ({ ...line, por_que: reasonOf(line, zone) }));
    return this.pdfs.write<OwnStatementFile>(context.tenantId, 'credit-statement', {
      ...{ nome, saldo: account.saldo, linhas, zone, writtenAt },
      em: query.at ?? writtenAt.toISOString(),
      isWhole: account.extrato.next === null,
    });
  }
}

const nameOf = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('students').select('nome').where('id', '=', studentId).compile(),
);

const wholeOf = (context: RequestContext, query: OwnStatementQuery, limit: number) =>
  new GetOwnStatement(context, { ...query, limit });

function reasonOf({ sessao, plano_nome }: StatementLine, zone: string): string {
  if (!sessao) return plano_nome ?? '';
  const place = sessao.local_nome ?? 'sem local';
  return `Aula de ${dayAndTime(sessao.inicio, zone)}, ${place}${sessao.excluida ? ' (excluída)' : ''}`;
}
