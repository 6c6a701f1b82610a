import { useState } from 'react';
import {
  type BulkChange,
  type BulkChanged,
  MAX_CHANGED,
} from '../../../../backend/modules/students/students.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

/** `left`: those that were not sent, or whose answer did not come, because of the `failure`. */
interface Change {
  changed: string[];
  left: string[];
  failure?: Error;
}

/**
 * The same for many students, in portions. `reached`: how many of them were sent already. Where a portion fails after others
 * changed somebody, that is an answer too, so that it can be taken back.
 */
export function useChangeStudents() {
  const [reached, setReached] = useState(0);
  const { mutateAsync, isPending } = useCommand({
    send: async ({ ids, ...what }: BulkChange, key): Promise<Change> => {
      const changed: string[] = [];
      for (let at = 0; at < ids.length; at += MAX_CHANGED) {
        setReached(at);
        const body = { ...what, ids: ids.slice(at, at + MAX_CHANGED) };
        // Sent again after a failure, each portion has the key that it had.
        try {
          const { alterados } = await http.post<BulkChanged>('/students/bulk', `${key}.${at}`, body);
          changed.push(...alterados);
        } catch (failure) {
          if (changed.length === 0 || !(failure instanceof Error)) throw failure;
          return { changed, left: ids.slice(at), failure };
        }
      }
      return { changed, left: [] };
    },
    topics: ['students'],
  });
  return { change: mutateAsync, isPending, reached };
}
