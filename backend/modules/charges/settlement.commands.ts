import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { creditAccount, decideGrant, decideTakeBack } from '../credits/credit-account.js';
import { decideRecord, decideReverse, transaction } from '../finance/transaction.js';
import { plan } from '../plans/plan.js';
import { financialSettings } from '../settings/financial-settings.js';
import {
  charge,
  decidePay,
  decideReversePayment,
  dueOf,
  type KnownCharge,
  settles,
  standingPayment,
} from './charge.js';
import type { NewPayment, PaymentDone } from './charges.api.js';
import { loadCharge } from './charges.commands.js';

export const PayCharge = defineCommand('PayCharge', async (tx, id: string, payment: NewPayment) => {
  const { payment_id, creditos, quitada } = await pay(tx, await loadCharge(tx, id), payment);
  return { id, payment_id, quitada, creditos };
});

/** The receita with its parts, the credits that were bought, and the charge's payment: all of it, or nothing. */
export async function pay(
  tx: CommandTransaction,
  state: KnownCharge,
  payment: NewPayment,
): Promise<PaymentDone & { transaction_id: string }> {
  const { charge_id, student_id, plano_id, creditos, validade_dias } = state;
  const [payment_id, transaction_id] = [randomUUID(), randomUUID()];
  const grants = settles(state, payment.valor) && creditos > 0 && plano_id !== null;
  const granted = grants
    ? decideGrant(
        { student_id, entry_id: randomUUID(), now: tx.now },
        { id: plano_id, creditos, validade_dias },
        tx.context.timezone,
      )
    : [];
  const lot_id = granted[0]?.type === 'CreditsGranted' ? granted[0].data.lot_id : null;
  tx.append(charge, charge_id, decidePay(state, { payment_id, transaction_id, ...payment }, lot_id));
  if (grants) {
    await tx.load(creditAccount, student_id);
    tx.append(creditAccount, student_id, granted);
  }
  const { imposto, reserva, operacional, retirada } = await tx.load(financialSettings, tx.context.tenantId);
  const shares = { imposto, reserva, operacional, retirada };
  const entry = { tipo: 'receita', descricao: await wordsOf(tx, state), ...payment } as const;
  tx.append(transaction, transaction_id, decideRecord(transaction_id, entry, shares));
  return {
    ...{ id: charge_id, payment_id, transaction_id },
    ...{ quitada: settles(state, payment.valor), creditos: grants ? creditos : 0 },
  };
}

/** What a receita says that pays it: nothing about the student, whose own texts go when the person is forgotten. */
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

/** Takes a payment back: the receita is reversed, and what settling the charge granted is taken back. */
export const ReverseChargePayment = defineCommand(
  'ReverseChargePayment',
  async (tx, id: string, paymentId: string) => {
    const state = await loadCharge(tx, id);
    const payment = standingPayment(state, paymentId);
    const estorno_id = randomUUID();
    const { transaction_id } = payment;
    const [account, receita] = await Promise.all([
      tx.load(creditAccount, state.student_id),
      tx.load(transaction, transaction_id),
    ]);
    tx.append(transaction, transaction_id, decideReverse(receita, estorno_id));
    let creditos_retirados = 0;
    if (dueOf(state) === 0 && state.lot_id !== null) {
      const origin = { student_id: state.student_id, entry_id: randomUUID(), now: tx.now };
      const taken = decideTakeBack(account, origin, {
        ...{ lot_id: state.lot_id, quantidade: state.creditos, motivo: 'Pagamento desfeito' },
      });
      if (taken === 'used') throw new Problem('charges.credits_used', { detail: CREDITS_USED });
      tx.append(creditAccount, state.student_id, taken);
      creditos_retirados = state.creditos;
    }
    tx.append(charge, id, decideReversePayment(state, payment, { estorno_id, creditos_retirados }));
    return { id };
  },
);

const CREDITS_USED =
  'O aluno não tem mais créditos suficientes para devolver. Reabra as sessões ou ajuste os créditos antes.';
