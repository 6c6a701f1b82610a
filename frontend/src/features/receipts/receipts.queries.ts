import { useQuery } from '@tanstack/react-query';
import type { OwnPayment, OwnPayments } from '../../../../backend/modules/receipts/own-payments.api.js';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';
import { RECEIPTS } from '../../parts/quick-receipt.js';

const PAYMENTS = reads('student-payments', ['transactions', 'charges', 'receipts']);

export function useReceiptIssuer() {
  return useQuery({
    queryKey: [RECEIPTS, 'issuer'],
    queryFn: ({ signal }) => read('GET /settings/receipts', { signal }),
  });
}

export const usePaymentsOf = (studentId: string) =>
  usePaged<OwnPayment, OwnPayments>([PAYMENTS, studentId], (cursor, signal) =>
    read('GET /students/:id/payments', { of: [studentId], query: { cursor, limit: 5 }, signal }),
  );

export function useSetReceiptIssuer() {
  return useSend('PUT /settings/receipts');
}
