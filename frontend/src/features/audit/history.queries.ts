import type { HistoryEntry, HistoryKind } from '../../../../backend/modules/audit/history.api.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

const HISTORY = reads('history', 'all');

export function useHistory(kind: HistoryKind, id: string) {
  return usePaged([HISTORY, kind, id], (cursor, signal) =>
    http.get<{ items: HistoryEntry[]; next: string | null }>(
      '/history',
      { subject: `${kind}:${id}`, cursor, limit: 20 },
      signal,
    ),
  );
}
