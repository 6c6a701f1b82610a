import { randomUUID } from 'node:crypto';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { balance, creditAccount, decideTakeBack, entry } from '../credits/credit-account.js';
import { existingPlan, plan } from '../plans/plan.js';
import { loadAway } from '../away/away.loads.js';
import { existingStudent, student } from '../students/student.js';
import { charge, decideCancel, decideLinkGrant } from './charge.js';
import { issue } from './charge-terms.commands.js';
import type { NewPayment } from './charges.api.js';
import { freshLink, loadCharge } from './charges.commands.js';
import { boughtBy, loadGrant, openPlanCharge, unpaidGrants } from './plan-grants.loads.js';
import { decideRenewal, renewablePlan } from './plan.renewal.js';
import type { GrantWaiver, Renewal } from './renewals.api.js';
import { payByHand, reversePayment } from './settlement.commands.js';

/** Grants the credits of the student's plan without a payment; an open charge for the plan is then for these credits. */
export const RenewCredits = defineCommand('RenewCredits', async (tx, studentId: string, seen: Renewal) => {
  const [owner] = await Promise.all([tx.load(student, studentId), tx.load(creditAccount, studentId)]);
  const planId = owner.status === 'unknown' ? null : owner.plano_id;
  const its = planId === null ? null : await tx.load(plan, planId);
  const { timezone } = tx.context;
  const lot_id = randomUUID();
  const origin = { student_id: studentId, entry_id: lot_id, now: tx.now };
  const away = await loadAway(tx, studentId);
  const granted = decideRenewal(owner, its, origin, timezone, away);
  const unpaid = await unpaidGrants(tx, studentId, planId!);
  if (seen?.esperando !== undefined && seen.esperando !== unpaid.length)
    throw new Problem('renewals.changed');
  tx.append(creditAccount, studentId, granted);
  const open = await openPlanCharge(tx, studentId, planId!);
  const its_charge = open?.grant_id === null ? open : undefined;
  if (its_charge) tx.append(charge, its_charge.charge_id, decideLinkGrant(its_charge, lot_id));
  const saldo = balance(await tx.load(creditAccount, studentId), tx.now);
  return { saldo, lot_id, charge_id: its_charge?.charge_id ?? null };
});

/**
 * Records the payment of a renewal: of the plan's open charge, or of one that is issued with it. Credits that were granted without
 * money are then paid; otherwise the payment grants them.
 */
export const RenewWithPayment = defineCommand(
  'RenewWithPayment',
  { tokens: LinkTokens },
  async (tx, { tokens }, studentId: string, payment: NewPayment) => {
    const link = freshLink(tokens);
    const owner = await tx.load(student, studentId);
    const planId = owner.status === 'unknown' ? null : owner.plano_id;
    const its = planId === null ? null : await tx.load(plan, planId);
    const { plan_id, nome: descricao } = renewablePlan(owner, its);
    const open = await openPlanCharge(tx, studentId, plan_id);
    const charge_id = open?.charge_id ?? randomUUID();
    if (!open) {
      const { valor, data: vencimento } = payment;
      await tx.load(charge, charge_id);
      await issue(tx, {
        charge_id,
        student_id: studentId,
        origem: 'plano',
        plano_id: plan_id,
        session_id: null,
        mes: null,
        descricao,
        valor,
        vencimento,
        ...(await boughtBy(tx, studentId, plan_id)),
        ...link,
      });
    }
    const { payment_id, quitada, creditos } = await payByHand(tx, await loadCharge(tx, charge_id), payment);
    return { id: charge_id, payment_id, quitada, creditos, emitida: !open };
  },
);

/** Undoes a renewal that issued its charge with the payment: reverses the payment and cancels the charge. */
export const UndoPaidRenewal = defineCommand('UndoPaidRenewal', async (tx, id: string, paymentId: string) => {
  const pix_a_decidir = await reversePayment(tx, id, paymentId);
  tx.append(charge, id, decideCancel(await loadCharge(tx, id)));
  return { id, pix_a_decidir };
});

/** Undoes a renewal without payment: takes its credits back. An open charge for them grants them again once it is paid. */
export const UndoRenewal = defineCommand('UndoRenewal', async (tx, studentId: string, lotId: string) => {
  const [owner, account, grant] = await Promise.all([
    tx.load(student, studentId),
    tx.load(creditAccount, studentId),
    loadGrant(tx, studentId, lotId),
  ]);
  existingStudent(owner);
  if (!grant) throw new Problem('renewals.not_found');
  const its = grant.charge_id === null ? undefined : await loadCharge(tx, grant.charge_id);
  if (its && its.pagamentos.length > 0) throw new Problem('renewals.paid');
  const back = { lot_id: lotId, quantidade: grant.quantidade, motivo: 'Renovação desfeita', contados: 0 };
  const taken = decideTakeBack(account, { student_id: studentId, entry_id: randomUUID(), now: tx.now }, back);
  if (taken === 'used' || taken.events.length === 0) throw new Problem('renewals.used');
  tx.append(
    creditAccount,
    studentId,
    taken.events.map((event) =>
      event.type === 'CreditsAdjusted' ? { ...event, data: { ...event.data, desfaz: lotId } } : event,
    ),
  );
  if (its) {
    const { creditos, validade_dias } = existingPlan(await tx.load(plan, grant.plano_id));
    tx.append(charge, its.charge_id, decideLinkGrant(its, null, { creditos, validade_dias }));
  }
  return { saldo: balance(await tx.load(creditAccount, studentId), tx.now) };
});

/** Says that granted credits need no payment, or takes that back. */
export const WaiveGrant = defineCommand(
  'WaiveGrant',
  async (tx, studentId: string, lotId: string, { dispensada }: GrantWaiver) => {
    const [grant] = await Promise.all([loadGrant(tx, studentId, lotId), tx.load(creditAccount, studentId)]);
    if (!grant) throw new Problem('renewals.not_found');
    if (grant.charge_id !== null) throw new Problem(grant.paga ? 'renewals.paid' : 'renewals.charged');
    const line = entry({ student_id: studentId, entry_id: randomUUID(), now: tx.now });
    if (grant.dispensada !== dispensada)
      tx.append(creditAccount, studentId, [
        { type: 'GrantWaived', data: { ...line, lot_id: lotId, dispensada } },
      ]);
    return { id: lotId };
  },
);
