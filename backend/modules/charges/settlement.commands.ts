import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { creditAccount, decideGrant, decideTakeBack } from '../credits/credit-account.js';
import { loadEntryTerms } from '../finance/finance.commands.js';
import { decideRecord, decideReverse, transaction } from '../finance/transaction.js';
import { plan } from '../plans/plan.js';
import { loadAway } from '../away/away.loads.js';
import {
  charge,
  decidePay,
  decideReversePayment,
  dueOf,
  type KnownCharge,
  settles,
  standingPayment,
} from './charge.js';
import type { NewPayment, PaymentDone, Refund } from './charges.api.js';
import { loadCharge } from './charges.commands.js';
import { matchPix, returnPix } from './pix-payments.commands.js';
import { decideRefund } from './refund.js';

export const PayCharge = defineCommand('PayCharge', async (tx, id: string, payment: NewPayment) => {
  const { payment_id, creditos, quitada } = await payByHand(tx, await loadCharge(tx, id), payment);
  return { id, payment_id, quitada, creditos };
});

/** What a payment has done, with its receita. */
export type Paid = PaymentDone & { transaction_id: string };

/** Records a payment that no notice reported. If its Pix waits for a decision, it is that; one is recorded once. */
export async function payByHand(
  tx: CommandTransaction,
  state: KnownCharge,
  { mesmo_assim = false, ...payment }: NewPayment,
): Promise<Paid> {
  const paid = await pay(tx, state, payment);
  await matchPix(tx, state, { ...payment, payment_id: paid.payment_id }, mesmo_assim);
  return paid;
}

/** Records in one transaction the receita with its allocations, the bought credits and the payment of the charge. */
export async function pay(
  tx: CommandTransaction,
  state: KnownCharge,
  payment: Omit<NewPayment, 'mesmo_assim'>,
): Promise<Paid> {
  const { charge_id, student_id, plano_id, creditos, validade_dias } = state;
  const [payment_id, transaction_id] = [randomUUID(), randomUUID()];
  const grants = settles(state, payment) && creditos > 0 && plano_id !== null;
  const granted = grants
    ? decideGrant(
        { student_id, entry_id: randomUUID(), now: tx.now },
        { id: plano_id, creditos, validade_dias },
        tx.context.timezone,
        await loadAway(tx, student_id),
      )
    : [];
  const lot_id = granted[0]?.type === 'CreditsGranted' ? granted[0].data.lot_id : null;
  tx.append(charge, charge_id, decidePay(state, { payment_id, transaction_id, ...payment }, lot_id));
  if (grants) {
    await tx.load(creditAccount, student_id);
    tx.append(creditAccount, student_id, granted);
  }
  const entry = { tipo: 'receita', descricao: await wordsOf(tx, state), ...payment } as const;
  tx.append(transaction, transaction_id, decideRecord(transaction_id, entry, await loadEntryTerms(tx)));
  return {
    id: charge_id,
    payment_id,
    transaction_id,
    quitada: settles(state, payment),
    creditos: grants ? creditos : 0,
  };
}

/** Description of the receita that pays a charge; it contains nothing about the student, who may be forgotten. */
async function wordsOf(tx: CommandTransaction, { origem, plano_id }: KnownCharge): Promise<string> {
  const its = plano_id === null ? undefined : await tx.load(plan, plano_id);
  if (its && its.status !== 'unknown' && its.nome !== null) return its.nome;
  return {
    plano: 'Plano',
    mensalidade: 'Mensalidade',
    sessao: 'Sessão avulsa',
    taxa: 'Taxa de cancelamento',
    avulsa: 'Cobrança',
  }[origem];
}

export const ReverseChargePayment = defineCommand(
  'ReverseChargePayment',
  async (tx, id: string, paymentId: string) => {
    return { id, pix_a_decidir: await reversePayment(tx, id, paymentId) };
  },
);

/**
 * Undoes a payment: reverses the receita, and takes back the credits that settling the charge granted. Returns whether it was a Pix,
 * which is to be decided again.
 */
export async function reversePayment(
  tx: CommandTransaction,
  id: string,
  paymentId: string,
): Promise<boolean> {
  const state = await loadCharge(tx, id);
  const payment = standingPayment(state, paymentId);
  const estorno_id = randomUUID();
  const { transaction_id } = payment;
  const receita = await tx.load(transaction, transaction_id);
  tx.append(transaction, transaction_id, decideReverse(receita, estorno_id, 'Pagamento desfeito'));
  const creditos_retirados = dueOf(state) === 0 && state.lot_id !== null ? state.creditos : 0;
  if (creditos_retirados > 0) await takeBack(tx, state, creditos_retirados, 'Pagamento desfeito');
  tx.append(charge, id, decideReversePayment(state, payment, { estorno_id, creditos_retirados }));
  return returnPix(tx, state, payment);
}

/**
 * Refunds money of a paid charge in one transaction: reverses the receita, records the kept part again on its date, and takes
 * the credits back.
 */
export const RefundPayment = defineCommand(
  'RefundPayment',
  async (tx, id: string, paymentId: string, wanted: Refund) => {
    const state = await loadCharge(tx, id);
    const payment = standingPayment(state, paymentId);
    const ids = { estorno_id: randomUUID(), transaction_id: randomUUID() };
    const refunded = decideRefund(state, payment, wanted, ids);
    const { resta } = refunded;
    const receita = await tx.load(transaction, payment.transaction_id);
    const next = resta?.transaction_id ?? null;
    tx.append(
      transaction,
      payment.transaction_id,
      decideReverse(receita, ids.estorno_id, 'Devolução ao aluno', next),
    );
    if (resta) {
      const { descricao, metodo_pagamento, data } = receita!;
      const entry = {
        tipo: 'receita' as const,
        descricao: descricao ?? 'Cobrança',
        valor: resta.valor,
        metodo_pagamento,
        data,
      };
      const recorded = decideRecord(
        resta.transaction_id,
        entry,
        // The kept part stays on the date on which it was recorded.
        { ...(await loadEntryTerms(tx)), today: data },
        payment.transaction_id,
      );
      tx.append(transaction, resta.transaction_id, recorded);
    }
    const creditos_expirados =
      wanted.creditos > 0 ? await takeBack(tx, state, wanted.creditos, 'Pagamento devolvido') : 0;
    tx.append(charge, id, [{ type: 'ChargeRefunded', data: { ...refunded, creditos_expirados } }]);
    return { id };
  },
);

/** Returns how many of them had expired. @throws Problem 409 if they were used */
async function takeBack(
  tx: CommandTransaction,
  { student_id, lot_id, expirados: contados }: KnownCharge,
  quantidade: number,
  motivo: string,
): Promise<number> {
  const account = await tx.load(creditAccount, student_id);
  const origin = { student_id, entry_id: randomUUID(), now: tx.now };
  const taken = decideTakeBack(account, origin, { lot_id: lot_id!, quantidade, motivo, contados });
  if (taken === 'used') throw new Problem('charges.credits_used', { detail: CREDITS_USED });
  tx.append(creditAccount, student_id, taken.events);
  return taken.expirados;
}

const CREDITS_USED =
  'O aluno não tem mais créditos suficientes para devolver. Reabra as sessões ou ajuste os créditos antes.';
