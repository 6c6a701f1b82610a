import { useQuery } from '@tanstack/react-query';
import type {
  NewReceipt,
  ReceiptIssuer,
  ReceiptSending,
  ReceiptVerification,
  ShownReceipt,
  ShownReceiptIssuer,
} from '../../../../backend/modules/receipts/receipts.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const RECEIPTS = reads('receipts', ['transactions', 'students']);
const topics = [RECEIPTS];

export function useReceipt(transactionId: string) {
  return useQuery({
    queryKey: [RECEIPTS, transactionId],
    queryFn: ({ signal }) =>
      http.get<ShownReceipt>(`/transactions/${transactionId}/receipt`, undefined, signal),
  });
}

export function useReceiptIssuer() {
  return useQuery({
    queryKey: [RECEIPTS, 'issuer'],
    queryFn: ({ signal }) => http.get<ShownReceiptIssuer>('/settings/receipts', undefined, signal),
  });
}

export function useSetReceiptIssuer() {
  return useCommand({
    send: (body: ReceiptIssuer, key) => http.put<{ id: string }>('/settings/receipts', key, body),
    topics,
  });
}

export function useIssueReceipt(transactionId: string) {
  return useCommand({
    send: (body: NewReceipt, key) =>
      http.post<{ id: string; numero: number }>(`/transactions/${transactionId}/receipt`, key, body),
    topics,
  });
}

export function useSendReceipt(transactionId: string) {
  return useCommand({
    send: (body: ReceiptSending, key) =>
      http.post<{ id: string }>(`/transactions/${transactionId}/receipt/send`, key, body),
    topics,
  });
}

export const useReceiptVerification = (code: string) =>
  useQuery({
    queryKey: [RECEIPTS, 'code', code],
    queryFn: ({ signal }) =>
      http.get<ReceiptVerification>(`/receipt-codes/${encodeURIComponent(code)}`, undefined, signal),
    retry: false,
  });
