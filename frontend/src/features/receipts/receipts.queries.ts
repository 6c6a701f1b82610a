import type { OwnPayment, OwnPayments } from '../../../../backend/modules/receipts/own-payments.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { RECEIPTS } from '../../parts/quick-receipt.js';

const PAYMENTS = reads('student-payments', ['transactions', 'charges', 'receipts']);
/** What was known at a moment: nothing that is recorded later changes it. */
const PAST = reads('past-student-payments', []);

export function useReceiptIssuer() {
  return useAnswer([RECEIPTS, 'issuer'], 'GET /settings/receipts');
}

export const usePaymentsOf = (studentId: string, at: string | undefined) =>
  usePaged<OwnPayment, OwnPayments>([at ? PAST : PAYMENTS, studentId, at], (cursor, signal) =>
    read('GET /students/:id/payments', { of: [studentId], query: { cursor, limit: 5, at }, signal }),
  );
