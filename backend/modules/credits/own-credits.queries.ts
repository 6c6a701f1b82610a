import { Readable } from 'node:stream';
import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { csvOf } from '../../platform/csv.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { dayAndTime } from '../../platform/portuguese.js';
import {
  type CreditStatement,
  lineKinds,
  type OwnStatementQuery,
  type StatementLine,
  type StatementQuery,
} from './credits.api.js';
import { GetCreditStatement } from './credits.queries.js';

/** What a student sees of the own account: all but what the trainer noted for the own use. */
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
    const items = account.extrato.items.map((line) => ({ ...line, motivo: null, user_id: null }));
    return { ...account, extrato: { ...account.extrato, items } };
  }
}

/** The student's own statement as a sheet, newest line first. */
export class WriteOwnStatement extends Query<string> {
  constructor(
    readonly context: RequestContext,
    readonly query: OwnStatementQuery,
  ) {
    super();
  }
}

/** Of a longer statement the oldest lines are left out. */
const LONGEST = 5_000;

@QueryHandler(WriteOwnStatement)
export class WriteOwnStatementHandler implements IQueryHandler<WriteOwnStatement> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ context, query }: WriteOwnStatement): Promise<string> {
    const whole = { ...query, limit: LONGEST };
    const { extrato } = await this.queries.execute(new GetOwnStatement(context, whole));
    const rows = extrato.items.map((line) => ({
      ...{ data: new Date(line.em), lancamento: lineKinds[line.tipo], quantidade: line.quantidade },
      ...{ saldo: line.saldo, por_que: reasonOf(line, context.timezone) },
    }));
    let text = '';
    for await (const part of csvOf(Readable.from(rows), context.timezone)) text += part;
    return text;
  }
}

function reasonOf({ sessao, plano_nome }: StatementLine, zone: string): string {
  if (!sessao) return plano_nome ?? '';
  const place = sessao.local_nome ?? 'sem local';
  return `Sessão de ${dayAndTime(sessao.inicio, zone)}, ${place}${sessao.excluida ? ' (excluída)' : ''}`;
}
