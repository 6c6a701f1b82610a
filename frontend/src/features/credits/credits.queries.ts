import type {
  Renewal as RenewalSeen,
  RenewalPaid,
  Renewed,
} from '../../../../backend/modules/charges/renewals.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend, useSendTo } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import type { Waiting } from '../../lib/outbox.js';
import { inEffect } from '../../lib/pending-over-server.js';
import { sendOrQueue, useDoneHere } from '../../lib/pending.js';
import { CREDITS } from './own-balance.queries.js';

export interface Renewal {
  studentId: string;
  studentName: string;
  plan: RenewedPlan;
}

export interface RenewedPlan {
  id: string;
  nome: string;
  creditos: number;
  valor: number;
}

export function useLowCredits() {
  return usePaged([CREDITS, 'low'], (cursor, signal) =>
    read('GET /credits/low', { query: { cursor, limit: 50 }, signal }),
  );
}

/** Grants the plan's credits before they are paid, or puts the request into the outbox while offline. */
export function useRenewCredits({ studentId, studentName, plan }: Renewal) {
  return useCommand({
    send: (body: RenewalSeen | undefined, key) =>
      sendOrQueue<Renewed>({
        key,
        method: 'POST',
        path: `/students/${studentId}/credits/renew`,
        ...(body && { body }),
        subject: studentId,
        effect: 'renew',
        shows: { creditos: String(plan.creditos) },
        title: `A renovação de ${studentName}`,
      }),
  });
}

/** Undoes a renewal that was not paid. */
export function useUndoRenewal(studentId: string) {
  return useCommand({
    send: (lotId: string, key) =>
      write('POST /students/:id/credits/grants/:lot/undo', key, { of: [studentId, lotId] }),
  });
}

/** Says that granted credits need no payment, or takes that back. */
export function useWaiveGrant(studentId: string) {
  return useCommand({
    send: ({ lot_id, dispensada }: { lot_id: string; dispensada: boolean }, key) =>
      write('PUT /students/:id/credits/grants/:lot/waiver', key, {
        of: [studentId, lot_id],
        body: { dispensada },
      }),
  });
}

/** Credits of renewals that the balance does not include yet: those being sent, and those in the outbox. */
export function usePendingCredits(studentId: string): { sending: number; waiting: number } {
  const renewals = inEffect(useDoneHere()).filter(
    ({ subject, effect }) => subject === studentId && effect === 'renew',
  );
  const sum = (writes: readonly Waiting[]) =>
    writes.reduce((total, { shows }) => total + Number(shows?.creditos), 0);
  return {
    sending: sum(renewals.filter(({ sending }) => sending)),
    waiting: sum(renewals.filter(({ sending }) => !sending)),
  };
}

export function useAdjustCredits(studentId: string) {
  return useSend('POST /students/:id/credits/adjust', studentId);
}

export function useUndoTransfer() {
  return useSendTo('POST /credits/transfers/:id/undo');
}

/** Undoes a paid renewal: the payment with its credits, and the charge if it was issued with it. */
export function useUndoPaidRenewal() {
  return useCommand({
    send: ({ id, payment_id, emitida }: RenewalPaid, key) =>
      write(`POST /charges/:id/payments/:payment/${emitida ? 'undo-renewal' : 'reverse'}`, key, {
        of: [id, payment_id],
      }),
  });
}
