import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { existingPayer, payer } from '../payers/payer.js';
import { type BillPart, billPayment, openFirst, refuseRest, shareOut, standingBill } from './bill-payment.js';
import type { NewBillPayment } from './bills.api.js';
import { chargesOfPayer } from './bills.loads.js';
import { loadCharge } from './charges.commands.js';
import { charge, decideClaim, type KnownCharge } from './charge.js';
import { type Paid, pay, payByHand, reversePayment } from './settlement.commands.js';

/**
 * Pays the open charges of a payer's students with one amount, the earliest due date first, and records that it was one payment.
 * Returns what is left of it. `payOne`: how each is paid.
 */
export async function payBill(
  tx: CommandTransaction,
  payer_id: string,
  payment: NewBillPayment,
  payOne: (state: KnownCharge, payment: NewBillPayment) => Promise<Paid> = (state, part) =>
    pay(tx, state, part),
): Promise<{ id: string; paid: Paid[]; partes: BillPart[]; rest: number }> {
  const open = openFirst(await chargesOfPayer(tx, payer_id), payment.data);
  const { parts, rest } = shareOut(open, payment);
  const id = randomUUID();
  const paid: Paid[] = [];
  const partes: BillPart[] = [];
  for (const { charge: state, valor } of parts) {
    const done = await payOne(state, { ...payment, valor });
    const { payment_id, transaction_id } = done;
    paid.push(done);
    partes.push({
      charge_id: state.charge_id,
      student_id: state.student_id,
      payment_id,
      transaction_id,
      valor,
    });
  }
  const valor = payment.valor - rest;
  if (valor > 0) {
    const { data, metodo_pagamento } = payment;
    tx.append(billPayment, id, [
      { type: 'BillPaid', data: { bill_id: id, payer_id, valor, data, metodo_pagamento, partes } },
    ]);
  }
  return { id, paid, partes, rest };
}

export const PayBill = defineCommand('PayBill', async (tx, payerId: string, payment: NewBillPayment) => {
  existingPayer(await tx.load(payer, payerId));
  // A Pix that waits for a decision is the same money.
  const byHand = (state: KnownCharge, part: NewBillPayment) =>
    payByHand(tx, state, { ...part, mesmo_assim: true });
  const { id, paid, rest } = await payBill(tx, payerId, payment, byHand);
  refuseRest(payment.valor, rest);
  return {
    id,
    cobrancas: paid.length,
    quitadas: paid.filter(({ quitada }) => quitada).length,
    creditos: paid.reduce((sum, { creditos }) => sum + creditos, 0),
  };
});

/** Undoes all of one payment that was not undone before by itself, in one command. */
export const ReverseBillPayment = defineCommand(
  'ReverseBillPayment',
  async (tx, payerId: string, billId: string) => {
    const { partes } = standingBill(await tx.load(billPayment, billId), payerId);
    let [valor, pix_a_decidir] = [0, false];
    for (const { charge_id, payment_id } of partes) {
      const { pagamentos } = await loadCharge(tx, charge_id);
      const standing = pagamentos.find((payment) => payment.payment_id === payment_id);
      if (!standing) continue;
      valor += standing.valor;
      pix_a_decidir = (await reversePayment(tx, charge_id, payment_id)) || pix_a_decidir;
    }
    const data = { bill_id: billId, payer_id: payerId, valor };
    tx.append(billPayment, billId, [{ type: 'BillPaymentReversed', data }]);
    return { id: payerId, pix_a_decidir };
  },
);

/** "Já paguei" by somebody with the link, for all that is open. */
export const ClaimBill = defineCommand('ClaimBill', async (tx, payerId: string) => {
  const today = dateOf(tx.now, tx.context.timezone);
  for (const state of openFirst(await chargesOfPayer(tx, payerId), today))
    tx.append(charge, state.charge_id, decideClaim(state));
  return { ok: true as const };
});
