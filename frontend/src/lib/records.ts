import { useCallback } from 'react';
import { useCommand } from './command.js';
import { useEdit } from './edits.js';
import { http } from './http.js';
import { withEdits, type MaybePending } from './pending-over-server.js';
import { usePaged } from './paged.js';
import { queuedNote, useDoneHere } from './pending.js';

interface RecordPage<Item> {
  items: Item[];
  next: string | null;
  total: number;
}

interface Kind {
  /** The name in its routes and query keys, and the topic of its changes: `plans`. */
  topic: string;
  /** Address of its page. */
  address: string;
  /** Masculine nouns, singular and plural: `plano`, `planos`. */
  one: string;
  many: string;
  /** The list of which an edit sends only what changed. */
  inPart?: string;
  /** Texts given by the specification. */
  texts: { created: string; updated: string; removed: string; notLoaded: string };
}

/** The requests for a kind of record: read, create, edit, archive, remove and restore. */
export function records<
  Item extends { id: string; nome: string },
  New extends object,
  Changes extends object,
>(kind: Kind) {
  const { topic, one } = kind;
  const effect = `edit-${topic}`;
  return {
    ...kind,
    /** Code of the refusal to remove a record that is in use. */
    inUse: `${topic}.in_use`,

    useList(active: boolean) {
      const situacao = active ? 'ativos' : 'inativos';
      const writes = useDoneHere();
      return usePaged<Item & MaybePending, RecordPage<Item & MaybePending>>(
        [topic, 'list', { situacao }],
        (cursor, signal) => http.get(`/${topic}`, { cursor, situacao }, signal),
        useCallback((item) => withEdits(item, writes, effect), [writes]),
      );
    },

    useCreate() {
      const { mutateAsync } = useCommand({
        send: (body: New, key) => http.post<{ id: string }>(`/${topic}`, key, body),
      });
      return mutateAsync;
    },

    /** Returns a text to be added to the toast of an edit that is not sent yet. */
    useChange({ id, nome }: Item) {
      const { mutateAsync } = useEdit<Changes>({
        path: `/${topic}/${id}`,
        subject: id,
        effect,
        title: `O ${one} ${nome}`,
      });
      return async (changes: Changes) => queuedNote(await mutateAsync({ changes }));
    },

    /** Removes a record, or restores a removed one. */
    useRemoval(id: string) {
      const { mutateAsync } = useCommand({
        send: (to: 'delete' | 'restore', key) =>
          to === 'delete'
            ? http.send<{ id: string }>({ method: 'DELETE', path: `/${topic}/${id}`, key })
            : http.post<{ id: string }>(`/${topic}/${id}/restore`, key),
      });
      return mutateAsync;
    },
  };
}
