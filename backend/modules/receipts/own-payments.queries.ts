import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import type { OwnPaymentList, OwnPayments } from './own-payments.api.js';
import { PrintReceipt } from './receipts.queries.js';

/** The student's own payments. */
export class ListOwnPayments extends Query<OwnPayments> {
  constructor(
    readonly context: RequestContext,
    readonly list: OwnPaymentList,
  ) {
    super();
  }
}

const place = z.tuple([calendarDate, id]);

@QueryHandler(ListOwnPayments)
export class ListOwnPaymentsHandler implements IQueryHandler<ListOwnPayments> {
  constructor(private readonly database: Database) {}

  async execute({ context, list: { cursor, limit } }: ListOwnPayments): Promise<OwnPayments> {
    const [day, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { studentId: context.studentId!, day, last, limit: limit + 1 };
    const rows = await this.database.read(context.tenantId, paid(asked));
    const items = rows
      .slice(0, limit)
      .map((row) => ({ ...row, metodo_pagamento: row.metodo_pagamento as PaymentMethod }));
    const end = items.at(-1);
    return { items, next: rows.length > limit && end ? encodeCursor([end.data, end.id]) : null };
  }
}

interface Asked {
  studentId: string;
  /** Last row of the previous page. */
  day?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** Shows descriptions of charges and receipts, which are meant for the student, not those of entries. */
const paid = statement((db, { studentId, day, last, limit }: Blanks<Asked>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) =>
      join.onRef('p.tenant_id', '=', 't.tenant_id').onRef('p.id', '=', 't.id'),
    )
    .leftJoin('charges as c', (join) =>
      join.onRef('c.tenant_id', '=', 'p.tenant_id').onRef('c.id', '=', 'p.charge_id'),
    )
    .leftJoin('receipts as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 't.tenant_id')
        .onRef('r.id', '=', 't.id')
        .on('r.student_id', '=', studentId),
    )
    .select(['t.id', 't.data', 't.valor', 't.metodo_pagamento', 'r.numero as recibo'])
    .select(sql<string | null>`coalesce(r.descricao, c.descricao)`.as('descricao'))
    .where('t.tipo', '=', 'receita')
    .where('t.estorno_de', 'is', null)
    .where('t.estornada_por', 'is', null)
    .where(
      sql<boolean>`t.id in (select id from charge_payments where student_id = ${studentId}
        union all select id from transactions where student_id = ${studentId})`,
    )
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(t.data, t.id) < (${day!}::date, ${last!}::uuid)`),
    )
    .orderBy('t.data', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit)
    .compile(),
);

/** The receipt of an own payment, as a file; 404 for any other payment. */
export class PrintOwnReceipt extends Query<{ numero: number; file: Buffer }> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(PrintOwnReceipt)
export class PrintOwnReceiptHandler implements IQueryHandler<PrintOwnReceipt> {
  constructor(
    private readonly database: Database,
    private readonly queries: QueryBus,
  ) {}

  async execute({ context, id }: PrintOwnReceipt) {
    const asked = { id, studentId: context.studentId! };
    const [own] = await this.database.read(context.tenantId, receiptOf(asked));
    if (!own) throw new Problem('receipts.not_found');
    return this.queries.execute(new PrintReceipt(context, id));
  }
}

const receiptOf = statement((db, { id, studentId }: Blanks<{ id: string; studentId: string }>) =>
  db.selectFrom('receipts').select('id').where('id', '=', id).where('student_id', '=', studentId).compile(),
);
