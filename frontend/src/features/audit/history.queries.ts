import type { HistoryKind } from '../../../../backend/modules/audit/history.api.js';
import { read } from '../../lib/calls.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const HISTORY = reads('history', 'all');

export function useHistory(kind: HistoryKind, id: string) {
  return usePaged([HISTORY, kind, id], (cursor, signal) =>
    read('GET /history', { query: { subject: `${kind}:${id}`, cursor, limit: 20 }, signal }),
  );
}
