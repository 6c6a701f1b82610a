import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const RECEIVABLES = reads('receivables', ['charges', 'students']);

/** What was known at a moment (`at`): nothing that is recorded later changes it. */
const PAST = reads('past-receivables', []);

export function useReceivables(at?: string) {
  return useAnswer(at ? [PAST, at] : [RECEIVABLES], 'GET /receivables', { query: { at } });
}

export function useDebtors(at?: string) {
  return usePaged(at ? [PAST, 'students', at] : [RECEIVABLES, 'students'], (cursor, signal) =>
    read('GET /receivables/students', { query: { at, cursor, limit: 8 }, signal }),
  );
}

export function useReminders() {
  return useAnswer([RECEIVABLES, 'reminders'], 'GET /receivables/reminders');
}

export function useUndecidedPix() {
  return usePaged([RECEIVABLES, 'pix'], (cursor, signal) =>
    read('GET /arrived-pix', { query: { cursor, limit: 20 }, signal }),
  );
}

const HOOK = reads('pix-hook', ['settings']);

export function usePixHook() {
  return useAnswer([HOOK], 'GET /settings/pix/webhook');
}
