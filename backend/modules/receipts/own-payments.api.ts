import * as z from 'zod/mini';
import { calendarDate, id, page, pageQuery } from '../../platform/http/common.api.js';
import { paymentMethod } from '../finance/finance.api.js';

/** What a student has paid, without what was reversed. */
const ownPayment = z.object({
  id,
  data: calendarDate,
  /** Cents. */
  valor: z.int(),
  metodo_pagamento: paymentMethod,
  /** As the charge or the receipt says it; null where there is neither. */
  descricao: z.nullable(z.string()),
  /** Number of its receipt; null where none was issued. */
  recibo: z.nullable(z.int()),
});
export type OwnPayment = z.infer<typeof ownPayment>;

export const ownPaymentList = z.strictObject(pageQuery);
export type OwnPaymentList = z.infer<typeof ownPaymentList>;

/** The latest first. */
export const ownPayments = page(ownPayment);
export type OwnPayments = z.infer<typeof ownPayments>;
