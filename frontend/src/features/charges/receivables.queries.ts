import { useQuery } from '@tanstack/react-query';
import { read, write } from '../../lib/calls.js';
import { useCommand, useSend } from '../../lib/command.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const RECEIVABLES = reads('receivables', ['charges', 'students']);

/** What was known at a moment (`at`): nothing that is recorded later changes it. */
const PAST = reads('past-receivables', []);

export function useReceivables(at?: string) {
  return useQuery({
    queryKey: at ? [PAST, at] : [RECEIVABLES],
    queryFn: ({ signal }) => read('GET /receivables', { query: { at }, signal }),
  });
}

export function useDebtors(at?: string) {
  return usePaged(at ? [PAST, 'students', at] : [RECEIVABLES, 'students'], (cursor, signal) =>
    read('GET /receivables/students', { query: { at, cursor, limit: 8 }, signal }),
  );
}

export function useReminders() {
  return useQuery({
    queryKey: [RECEIVABLES, 'reminders'],
    queryFn: ({ signal }) => read('GET /receivables/reminders', { signal }),
  });
}

export function useNoteReminder() {
  return useCommand({
    send: (chargeId: string, key) => write('POST /charges/:id/reminders', key, { of: [chargeId] }),
  });
}

export function useUndecidedPix() {
  return usePaged([RECEIVABLES, 'pix'], (cursor, signal) =>
    read('GET /arrived-pix', { query: { cursor, limit: 20 }, signal }),
  );
}

export function useDecidePix(id: string) {
  return useSend('POST /arrived-pix/:id/decide', id);
}

export function useReopenPix(id: string) {
  return useSend('POST /arrived-pix/:id/reopen', id);
}

const HOOK = reads('pix-hook', ['settings']);

export function usePixHook() {
  return useQuery({
    queryKey: [HOOK],
    queryFn: ({ signal }) => read('GET /settings/pix/webhook', { signal }),
  });
}

export function useReplacePixSecret() {
  return useSend('POST /settings/pix/webhook/secret');
}
