import { useState } from 'react';
import {
  type BulkChange,
  type BulkChanged,
  MAX_CHANGED,
} from '../../../../backend/modules/students/students.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';

/** The same for many students, in portions. `reached`: how many of them were sent already. */
export function useChangeStudents() {
  const [reached, setReached] = useState(0);
  const { mutateAsync, isPending } = useCommand({
    send: async ({ ids, ...what }: BulkChange, key): Promise<string[]> => {
      const changed: string[] = [];
      for (let at = 0; at < ids.length; at += MAX_CHANGED) {
        setReached(at);
        const body = { ...what, ids: ids.slice(at, at + MAX_CHANGED) };
        // Sent again after a failure, each portion has the key that it had.
        const { alterados } = await http.post<BulkChanged>('/students/bulk', `${key}.${at}`, body);
        changed.push(...alterados);
      }
      return changed;
    },
    topics: ['students'],
  });
  return { change: mutateAsync, isPending, reached };
}
