import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../lib/answer.js';
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
  return useAnswer(at ? [PAST, id, at] : [CHARGES, id], 'GET /charges/:id', { of: [id], query: { at } });
}

export function useChargeStep(id: string) {
  return useCommand({
    send: (step: 'cancel' | 'restore' | 'link', key) => write(`POST /charges/:id/${step}`, key, { of: [id] }),
  });
}

export function usePayCharge(id: string) {
  return useSend('POST /charges/:id/payments', id);
}

export function useReversePayment(id: string) {
  return useCommand({
    send: (paymentId: string, key) =>
      write('POST /charges/:id/payments/:payment/reverse', key, { of: [id, paymentId] }),
  });
}

const PIX = reads('pix', ['settings']);

export function usePixAccount() {
  return useAnswer([PIX], 'GET /settings/pix');
}

export function useChargeTerms() {
  return useAnswer([PIX, 'terms'], 'GET /charge-terms');
}

const MONTHLY = reads('monthly-plans', ['charges', 'students', 'plans']);

/** The monthly plan that a student has agreed to; disabled without a student. */
export const useMonthlyPlan = (studentId: string) =>
  useQuery({
    queryKey: [MONTHLY, studentId],
    queryFn: ({ signal }) => read('GET /students/:id/monthly-plan', { of: [studentId], signal }),
    enabled: studentId !== '',
  });
