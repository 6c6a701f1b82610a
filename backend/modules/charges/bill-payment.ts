import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { brl } from '../../platform/portuguese.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import { waitsForPayment, type KnownCharge, owedOf } from './charge.js';

/** What a charge got of a payment of its payer's. */
export interface BillPart {
  charge_id: string;
  student_id: string;
  payment_id: string;
  /** The receita. */
  transaction_id: string;
  /** Cents. */
  valor: number;
}

export interface BillPaid {
  bill_id: string;
  payer_id: string;
  /** Cents, the sum of the parts. */
  valor: number;
  data: string;
  metodo_pagamento: PaymentMethod;
  partes: BillPart[];
}

export type BillPaymentEvent =
  | { type: 'BillPaid'; data: BillPaid }
  | { type: 'BillPaymentReversed'; data: { bill_id: string; payer_id: string; valor: number } };

export type BillPaymentState = (BillPaid & { desfeito: boolean }) | undefined;

/** One payment of several charges: what each got of it is a payment of that charge. */
export const billPayment: Aggregate<BillPaymentState, BillPaymentEvent> = {
  name: 'bill-payment',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'BillPaid':
        return { ...data, desfeito: false };
      case 'BillPaymentReversed':
        return state && { ...state, desfeito: true };
    }
  },
  // The students were declared as used by their charges.
  events: {
    BillPaid: { schemaVersion: 1, uses: 'nothing new' },
    BillPaymentReversed: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** The charges that are open, the earliest due date first. */
export const openFirst = (charges: readonly KnownCharge[], dia: string): KnownCharge[] =>
  charges
    .filter((one) => !one.cancelada && owedOf(one, dia).total > 0)
    // A booking that does not stand yet is paid on its own page.
    .filter((one) => !waitsForPayment(one))
    .toSorted(
      (one, other) =>
        one.vencimento.localeCompare(other.vencimento) || one.charge_id.localeCompare(other.charge_id),
    );

/** What each of these charges gets of an amount, in their order, and what is left of it. */
export function shareOut(
  charges: readonly KnownCharge[],
  { valor, data }: { valor: number; data: string },
): { parts: { charge: KnownCharge; valor: number }[]; rest: number } {
  let rest = valor;
  const parts = charges.flatMap((charge) => {
    const part = Math.min(rest, owedOf(charge, data).total);
    rest -= part;
    return part > 0 ? [{ charge, valor: part }] : [];
  });
  return { parts, rest };
}

/** @throws Problem 422 for more than all charges take */
export function refuseRest(valor: number, rest: number): void {
  if (rest === 0) return;
  const detail = valor === rest ? 'Não há nada em aberto.' : `Falta pagar ${brl(valor - rest)}.`;
  throw new Problem('charges.more_than_due', { detail, errors: [{ pointer: '/valor', detail }] });
}

/** @throws Problem 404 where it is unknown, another payer's, or undone */
export function standingBill(state: BillPaymentState, payerId: string): NonNullable<BillPaymentState> {
  if (!state || state.payer_id !== payerId || state.desfeito) throw new Problem('charges.payment_not_found');
  return state;
}
