import { useQuery } from '@tanstack/react-query';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const CHARGES = reads('charges', ['students', 'plans', 'settings']);

export type Situation = 'a_receber' | 'a_devolver' | 'vencida' | 'paga' | 'cancelada';

/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-charges', []);

export function useCharges(query: {
  situacao?: Situation;
  student_id?: string;
  session_id?: string;
  mes?: string;
  limit?: number;
  at?: string | undefined;
}) {
  return usePaged([query.at ? PAST : CHARGES, 'list', query], (cursor, signal) =>
    read('GET /charges', { query: { ...query, cursor }, signal }),
  );
}

export function useCharge(id: string, at?: string) {
  return useQuery({
    queryKey: at ? [PAST, id, at] : [CHARGES, id],
    queryFn: ({ signal }) => read('GET /charges/:id', { of: [id], query: { at }, signal }),
  });
}

export function useIssueCharge() {
  return useSend('POST /charges');
}

export function useChangeCharge(id: string) {
  return useSend('PATCH /charges/:id', id);
}

export function useChargeStep(id: string) {
  return useCommand({
    send: (step: 'cancel' | 'restore' | 'link', key) => write(`POST /charges/:id/${step}`, key, { of: [id] }),
  });
}

export function usePromise(id: string) {
  return useSend('PUT /charges/:id/promise', id);
}

export function useKeepPaid(id: string) {
  return useSend('PUT /charges/:id/return', id);
}

export function usePayCharge(id: string) {
  return useSend('POST /charges/:id/payments', id);
}

export function useRefundPayment(chargeId: string, paymentId: string) {
  return useSend('POST /charges/:id/payments/:payment/refund', chargeId, paymentId);
}

export function useReversePayment(id: string) {
  return useCommand({
    send: (paymentId: string, key) =>
      write('POST /charges/:id/payments/:payment/reverse', key, { of: [id, paymentId] }),
  });
}

const PIX = reads('pix', ['settings']);

export function usePixAccount() {
  return useQuery({
    queryKey: [PIX],
    queryFn: ({ signal }) => read('GET /settings/pix', { signal }),
  });
}

export function useChargeTerms() {
  return useQuery({
    queryKey: [PIX, 'terms'],
    queryFn: ({ signal }) => read('GET /charge-terms', { signal }),
  });
}

export function useSetPixAccount() {
  return useSend('PUT /settings/pix');
}

export function useRemovePixAccount() {
  return useSend('POST /settings/pix/remove');
}

const MONTHLY = reads('monthly-plans', ['charges', 'students', 'plans']);

/** The monthly plan that a student has agreed to; disabled without a student. */
export const useMonthlyPlan = (studentId: string) =>
  useQuery({
    queryKey: [MONTHLY, studentId],
    queryFn: ({ signal }) => read('GET /students/:id/monthly-plan', { of: [studentId], signal }),
    enabled: studentId !== '',
  });
