import { useQuery } from '@tanstack/react-query';
import type {
  PixDecision,
  PixHook,
  UndecidedPage,
} from '../../../../backend/modules/charges/pix-notices.api.js';
import type {
  DebtorPage,
  Receivables,
  Reminders,
} from '../../../../backend/modules/charges/receivables.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const RECEIVABLES = reads('receivables', ['charges', 'students']);

/** What was known at a moment (`at`): nothing that is recorded later changes it. */
const PAST = reads('past-receivables', []);

export function useReceivables(at?: string) {
  return useQuery({
    queryKey: at ? [PAST, at] : [RECEIVABLES],
    queryFn: ({ signal }) => http.get<Receivables>('/receivables', { at }, signal),
  });
}

export function useDebtors(at?: string) {
  return usePaged(at ? [PAST, 'students', at] : [RECEIVABLES, 'students'], (cursor, signal) =>
    http.get<DebtorPage>('/receivables/students', { at, cursor, limit: 8 }, signal),
  );
}

export function useReminders() {
  return useQuery({
    queryKey: [RECEIVABLES, 'reminders'],
    queryFn: ({ signal }) => http.get<Reminders>('/receivables/reminders', undefined, signal),
  });
}

export function useNoteReminder() {
  return useCommand({
    send: (chargeId: string, key) => http.post<{ id: string }>(`/charges/${chargeId}/reminders`, key),
    topics: ['charges'],
  });
}

/** A Pix that pays its charge may grant credits, and settle a session. */
const moneyTopics = ['charges', 'transactions', 'months', 'credits', 'students', 'sessions'];

export function useUndecidedPix() {
  return usePaged([RECEIVABLES, 'pix'], (cursor, signal) =>
    http.get<UndecidedPage>('/arrived-pix', { cursor, limit: 20 }, signal),
  );
}

export function useDecidePix(id: string) {
  return useCommand({
    send: (body: PixDecision, key) => http.post<{ id: string }>(`/arrived-pix/${id}/decide`, key, body),
    topics: moneyTopics,
  });
}

export function useReopenPix(id: string) {
  return useCommand({
    send: (_now: 'reopen', key) => http.post<{ id: string }>(`/arrived-pix/${id}/reopen`, key),
    topics: moneyTopics,
  });
}

const HOOK = reads('pix-hook', ['settings']);

export function usePixHook() {
  return useQuery({
    queryKey: [HOOK],
    queryFn: ({ signal }) => http.get<PixHook>('/settings/pix/webhook', undefined, signal),
  });
}

export function useReplacePixSecret() {
  return useCommand({
    send: (_now: 'replace', key) => http.post<{ id: string }>('/settings/pix/webhook/secret', key),
    topics: ['settings'],
  });
}
