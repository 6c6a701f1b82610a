import { useState } from 'react';
import { type BulkChange, MAX_CHANGED } from '../../../../backend/modules/students/students.api.js';
import { write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';

/** `left`: students whose change was not sent or not answered, because of the `failure`. */
interface Change {
  changed: string[];
  left: string[];
  failure?: Error;
}

/**
 * Makes the same change for many students, in portions. `reached`: how many students were sent so far. If a portion fails after
 * others changed students, returns these instead of throwing, so that they can be undone.
 */
export function useChangeStudents() {
  const [reached, setReached] = useState(0);
  const { mutateAsync, isPending } = useCommand({
    send: async ({ ids, ...what }: BulkChange, key): Promise<Change> => {
      const changed: string[] = [];
      for (let at = 0; at < ids.length; at += MAX_CHANGED) {
        setReached(at);
        const body = { ...what, ids: ids.slice(at, at + MAX_CHANGED) };
        // After a failure, each portion is sent again with the same key.
        try {
          const { alterados } = await write('POST /students/bulk', `${key}.${at}`, { body });
          changed.push(...alterados);
        } catch (failure) {
          if (changed.length === 0 || !(failure instanceof Error)) throw failure;
          return { changed, left: ids.slice(at), failure };
        }
      }
      return { changed, left: [] };
    },
  });
  return { change: mutateAsync, isPending, reached };
}
