import { QueryBus } from '@nestjs/cqrs';
import { type InferResult, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import type { OwnPaymentList, OwnPayments } from './own-payments.api.js';
import { PrintReceipt } from './receipts.queries.js';

const place = z.tuple([calendarDate, id]);

/** The student's own payments. */
export const ListOwnPayments = defineQuery(
  'ListOwnPayments',
  async ({ context, read }, { cursor, limit }: OwnPaymentList): Promise<OwnPayments> =>
    pageOf(
      limit,
      await read(paid({ studentId: context.studentId!, ...after(cursor), limit: limit + 1, entries: false })),
    ),
);

/** What a student paid, for the trainer. */
export const ListPaymentsOfStudent = defineQuery(
  'ListPaymentsOfStudent',
  async ({ read }, studentId: string, { cursor, limit }: OwnPaymentList): Promise<OwnPayments> => {
    const [[known], rows] = await Promise.all([
      read(student({ studentId })),
      read(paid({ studentId, ...after(cursor), limit: limit + 1, entries: true })),
    ]);
    if (!known) throw new Problem('students.not_found');
    return pageOf(limit, rows);
  },
);

function after(cursor: string | undefined) {
  const [day, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
  return { day, last };
}

function pageOf(limit: number, rows: InferResult<ReturnType<typeof paid>>): OwnPayments {
  const items = rows
    .slice(0, limit)
    .map((row) => ({ ...row, metodo_pagamento: row.metodo_pagamento as PaymentMethod }));
  const end = items.at(-1);
  return { items, next: rows.length > limit && end ? encodeCursor([end.data, end.id]) : null };
}

const student = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('students').select('id').where('id', '=', studentId).compile(),
);

interface Asked {
  studentId: string;
  /** Last row of the previous page. */
  day?: string | undefined;
  last?: string | undefined;
  limit: number;
  /** Also the descriptions of entries, which are the trainer's. */
  entries: boolean;
}

/** For the student only descriptions of charges and receipts, which are meant for the student. */
const paid = statement((db, { studentId, day, last, limit, entries }: Blanks<Asked>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 't.id'))
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .leftJoin('receipts as r', (join) =>
      join
        .onRef('r.tenant_id', '=', 't.tenant_id')
        .onRef('r.id', '=', 't.id')
        .on('r.student_id', '=', studentId),
    )
    .select(['t.id', 't.data', 't.valor', 't.metodo_pagamento', 'r.numero as recibo'])
    .select(
      sql<string | null>`coalesce(r.descricao, c.descricao, case when ${entries} then t.descricao end)`.as(
        'descricao',
      ),
    )
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
export const PrintOwnReceipt = defineQuery(
  'PrintOwnReceipt',
  { queries: QueryBus },
  async ({ context, read }, { queries }, id: string) => {
    const asked = { id, studentId: context.studentId! };
    const [own] = await read(receiptOf(asked));
    if (!own) throw new Problem('receipts.not_found');
    return queries.execute(new PrintReceipt(context, id));
  },
);

const receiptOf = statement((db, { id, studentId }: Blanks<{ id: string; studentId: string }>) =>
  db.selectFrom('receipts').select('id').where('id', '=', id).where('student_id', '=', studentId).compile(),
);
