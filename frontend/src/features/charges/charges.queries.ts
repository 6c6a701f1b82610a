import { useQuery } from '@tanstack/react-query';
import type {
  ChargeChanges,
  ChargeDetail,
  ChargePage,
  NewCharge,
  NewPayment,
  PaymentDone,
  PaymentUndone,
  Promised,
  Refund,
} from '../../../../backend/modules/charges/charges.api.js';
import type {
  PixAccountChange,
  PixAccountRemoval,
  ShownPixAccount,
} from '../../../../backend/modules/charges/pix.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const CHARGES = reads('charges', ['students', 'plans']);
const topics = ['charges', 'transactions', 'credits', 'students', 'sessions'];

export type Situation = 'a_receber' | 'vencida' | 'paga' | 'cancelada';

export function useCharges(query: {
  situacao?: Situation;
  student_id?: string;
  session_id?: string;
  mes?: string;
  limit?: number;
}) {
  return usePaged([CHARGES, 'list', query], (cursor, signal) =>
    http.get<ChargePage>('/charges', { ...query, cursor }, signal),
  );
}

export function useCharge(id: string) {
  return useQuery({
    queryKey: [CHARGES, id],
    queryFn: ({ signal }) => http.get<ChargeDetail>(`/charges/${id}`, undefined, signal),
  });
}

type Answer = { id: string };

export function useIssueCharge() {
  return useCommand({
    send: (body: NewCharge, key) => http.post<Answer>('/charges', key, body),
    topics,
  });
}

export function useChangeCharge(id: string) {
  return useCommand({
    send: (body: ChargeChanges, key) => http.patch<Answer>(`/charges/${id}`, key, body),
    topics,
  });
}

export function useChargeStep(id: string) {
  return useCommand({
    send: (step: 'cancel' | 'restore' | 'link', key) => http.post<Answer>(`/charges/${id}/${step}`, key),
    topics,
  });
}

export function usePromise(id: string) {
  return useCommand({
    send: (body: Promised, key) => http.put<Answer>(`/charges/${id}/promise`, key, body),
    topics: ['charges'],
  });
}

export function usePayCharge(id: string) {
  return useCommand({
    send: (body: NewPayment, key) => http.post<PaymentDone>(`/charges/${id}/payments`, key, body),
    topics,
  });
}

export function useRefundPayment(chargeId: string, paymentId: string) {
  return useCommand({
    send: (body: Refund, key) =>
      http.post<{ id: string }>(`/charges/${chargeId}/payments/${paymentId}/refund`, key, body),
    topics,
  });
}

export function useReversePayment(id: string) {
  return useCommand({
    send: (paymentId: string, key) =>
      http.post<PaymentUndone>(`/charges/${id}/payments/${paymentId}/reverse`, key),
    topics,
  });
}

const PIX = reads('pix', ['settings']);

export function usePixAccount() {
  return useQuery({
    queryKey: [PIX],
    queryFn: ({ signal }) => http.get<ShownPixAccount>('/settings/pix', undefined, signal),
  });
}

export function useSetPixAccount() {
  return useCommand({
    send: (body: PixAccountChange, key) => http.put<Answer>('/settings/pix', key, body),
    topics: ['settings'],
  });
}

export function useRemovePixAccount() {
  return useCommand({
    send: (body: PixAccountRemoval, key) => http.post<Answer>('/settings/pix/remove', key, body),
    topics: ['settings'],
  });
}
