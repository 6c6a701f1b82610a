import { type InferResult, sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import { calendarDate, id } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import { receiptsOpenSince } from '../finance/receipt-address.js';
import type { OwnPaymentList, OwnPayments } from './own-payments.api.js';
import { ReceiptLinks } from './receipt-links.service.js';

const place = z.tuple([calendarDate, id]);

/** The student's own payments. Who has only the link of the area opens the receipts of recent ones. */
export const ListOwnPayments = defineQuery(
  'ListOwnPayments',
  { links: ReceiptLinks, past: PastTables },
  async ({ context, now }, { links, past }, { cursor, limit, at }: OwnPaymentList): Promise<OwnPayments> => {
    const { tenantId, byLink, timezone } = context;
    const studentId = context.studentId!;
    const { read } = await past.at(tenantId, at, paidBy(studentId));
    const [[known], rows] = await Promise.all([
      read(student({ studentId })),
      read(paid({ studentId, ...after(cursor), limit: limit + 1, isTrainer: false })),
    ]);
    const since = byLink ? receiptsOpenSince(now, timezone) : '';
    return { at, pagador: known?.pagador ?? null, ...pageOf(limit, rows, links, since) };
  },
);

/** What a student paid, for the trainer. */
export const ListPaymentsOfStudent = defineQuery(
  'ListPaymentsOfStudent',
  { links: ReceiptLinks, past: PastTables },
  async ({ context }, { links, past }, studentId: string, list: OwnPaymentList): Promise<OwnPayments> => {
    const { cursor, limit, at } = list;
    const { read } = await past.at(context.tenantId, at, paidBy(studentId));
    const [[known], rows] = await Promise.all([
      read(student({ studentId })),
      read(paid({ studentId, ...after(cursor), limit: limit + 1, isTrainer: true })),
    ]);
    if (!known) throw new Problem(at === undefined ? 'students.not_found' : 'past.not_there');
    return { at, pagador: known.pagador, ...pageOf(limit, rows, links) };
  },
);

/** What a student's payments follow from; charges are those that were theirs at any time, receipts may be of several students. */
const paidBy = (studentId: string): WantedTables => ({
  tables: [
    'transactions',
    'charge_payments',
    'charges',
    'receipts',
    'receipt_entries',
    'students',
    'student_payers',
    'payers',
  ],
  inClear: true,
  only: [
    { of: 'transactions', field: 'tipo', first: 'receita', last: 'receita' },
    { of: 'charges', field: 'student_id', first: studentId, last: studentId, streams: true },
  ],
});

function after(cursor: string | undefined) {
  const [day, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
  return { day, last };
}

/** `since`: first day of payments with a receipt to open. */
function pageOf(
  limit: number,
  rows: InferResult<ReturnType<typeof paid>>,
  links: ReceiptLinks,
  since = '',
): Pick<OwnPayments, 'items' | 'next'> {
  const items = rows.slice(0, limit).map(({ numero, receipt_id, ...row }) => ({
    ...row,
    metodo_pagamento: row.metodo_pagamento as PaymentMethod,
    recibo: numero === null || row.data < since ? null : { numero, caminho: links.pathOf(receipt_id!) },
  }));
  const end = items.at(-1);
  return { items, next: rows.length > limit && end ? encodeCursor([end.data, end.id]) : null };
}

const student = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_payers as l', (join) => sameTenant(join, 'l.id', 's.id'))
    .leftJoin('payers as y', (join) => sameTenant(join, 'y.id', 'l.payer_id'))
    .select(['s.id', 'y.nome as pagador'])
    .where('s.id', '=', studentId)
    .compile(),
);

interface Asked {
  studentId: string;
  /** Last row of the previous page. */
  day?: string | undefined;
  last?: string | undefined;
  limit: number;
  isTrainer: boolean;
}

/**
 * For the student only descriptions of charges and receipts, which are meant for the student, and no receipt with the document of
 * somebody else, who pays for them, or with what others paid, unless the account is that person's.
 */
const paid = statement((db, { studentId, day, last, limit, isTrainer }: Blanks<Asked>) =>
  db
    .selectFrom('transactions as t')
    .leftJoin('charge_payments as p', (join) => sameTenant(join, 'p.id', 't.id'))
    .leftJoin('charges as c', (join) => sameTenant(join, 'c.id', 'p.charge_id'))
    .leftJoin('receipt_entries as e', (join) =>
      sameTenant(join, 'e.id', 't.id').on('e.cancelada', '=', false),
    )
    .leftJoin('receipts as r', (join) =>
      sameTenant(join, 'r.id', 'e.receipt_id').on(
        sql<boolean>`(r.student_id = ${studentId} or r.partes <> '[]')`,
      ),
    )
    .select(['t.id', 't.data', 't.valor', 't.metodo_pagamento', 'r.id as receipt_id'])
    .select(
      sql<number | null>`case when ${isTrainer} or r.payer_id is null and r.partes = '[]'
      or exists (select from student_access own join student_access paying on paying.user_id = own.user_id
        where own.id = ${studentId} and paying.payer_id = r.payer_id) then r.numero end`.as('numero'),
    )
    .select(
      sql<
        string | null
      >`coalesce(case when r.id = t.id then r.descricao end, c.descricao, case when ${isTrainer} then t.descricao end)`.as(
        'descricao',
      ),
    )
    .where('t.tipo', '=', 'receita')
    .where('t.estorno_de', 'is', null)
    .where('t.estornada_por', 'is', null)
    .where(
      // An array, which is found once: a plan made for a trainer without payments would look for them per row.
      sql<boolean>`t.id = any(array(select id from charge_payments where student_id = ${studentId}
        union all select id from transactions where student_id = ${studentId}))`,
    )
    .$if(last !== undefined, (found) =>
      found.where(sql<boolean>`(t.data, t.id) < (${day!}::date, ${last!}::uuid)`),
    )
    .orderBy('t.data', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit)
    .compile(),
);
