import { queryOptions } from '@tanstack/react-query';
import { useAnswer } from '../../lib/answer.js';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSendTo } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const PAYERS = reads('payers', ['students']);

export const usePayers = () =>
  usePaged([PAYERS, 'list'], (cursor, signal) => read('GET /payers', { query: { cursor }, signal }));

export const usePayer = (id: string) => useAnswer([PAYERS, 'one', id], 'GET /payers/:id', { of: [id] });

/** Who pays for a student. */
export const usePayerOf = (studentId: string) =>
  useAnswer([PAYERS, 'of', studentId], 'GET /students/:id/payer', { of: [studentId] });

const BILL = reads('payer-bill', ['payers', 'charges', 'students', 'settings']);

export const useBill = (id: string) => useAnswer([BILL, id], 'GET /payers/:id/bill', { of: [id] });
export const useReverseBillPayment = (payerId: string) =>
  useCommand({
    send: (payment: string, key) =>
      write('POST /payers/:id/payments/:payment/reverse', key, { of: [payerId, payment] }),
  });

const ACCESS = reads('payer-access', ['access', 'payers', 'students']);

export const usePayerAccess = (id: string) => useAnswer([ACCESS, id], 'GET /payers/:id/access', { of: [id] });
export const forgetPreview = (id: string) =>
  queryOptions({
    queryKey: [PAYERS, 'forget', id],
    queryFn: ({ signal }) => read('GET /payers/:id/forget', { of: [id], signal }),
  });

export const useRemovePayer = () => useSendTo('DELETE /payers/:id');
export const useChoosePayer = () => useSendTo('PUT /students/:id/payer');
