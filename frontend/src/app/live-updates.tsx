import { useQueryClient } from '@tanstack/react-query';
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConnection } from '../lib/connection.js';
import { listen } from '../lib/live.js';
import type { Place } from '../lib/tenant.js';
import { refresh } from '../lib/topics.js';
import type { Role } from '../lib/me.js';

/** Announcements of each topic when others have changed it, by the reader's role. */
const words: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  personal: {
    sessions: 'Agenda atualizada.',
    students: 'Alunos atualizados.',
    plans: 'Planos atualizados.',
    locations: 'Locais atualizados.',
    transactions: 'Financeiro atualizado.',
  },
  aluno: {
    sessions: 'Aulas atualizadas.',
    credits: 'Créditos atualizados.',
    charges: 'Cobranças atualizadas.',
    locations: 'Locais atualizados.',
    transactions: 'Pagamentos atualizados.',
  },
};
/**
 * Hints that arrive together are announced once. Hints of the user's own commands are not announced, because a toast
 * reports these.
 */
const GATHER_MS = 1500;
const OWN_MS = 5000;

/** Announces changes by others to screen readers, once for each burst of hints. */
function useAnnouncements(role: Role) {
  const client = useQueryClient();
  const [announced, setAnnounced] = useState('');
  const topics = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const isOwn = () =>
    client
      .getMutationCache()
      .getAll()
      .some(({ state }) => state.status === 'pending' || Date.now() - state.submittedAt < OWN_MS);

  const announce = (topic: string) => {
    if (!words[role][topic] || isOwn()) return;
    topics.current.add(topic);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAnnounced([...topics.current].map((name) => words[role][name]).join(' '));
      topics.current.clear();
      // Cleared, so that the same text is announced again the next time.
      timer.current = setTimeout(() => setAnnounced(''), GATHER_MS);
    }, GATHER_MS);
  };

  return { announced, announce };
}

/**
 * Refetches the queries that a hint names, and what changed before the page was connected; after a reconnection,
 * everything.
 */
export default function LiveUpdates({ tenantId, studentId, role }: Place & { role: Role }) {
  const client = useQueryClient();
  const { announced, announce } = useAnnouncements(role);
  const onTopic = useEffectEvent(announce);

  useEffect(() => {
    let missed = false;
    const stop = listen(
      { tenantId, studentId },
      {
        onHint: ({ topic }) => {
          void refresh(client, [topic]);
          onTopic(topic);
        },
        // Of other places, pages show how much is unread there, and what is owed by all for whom the account pays.
        onHintElsewhere: ({ topic }) => {
          if (topic === 'notifications') void refresh(client, ['notifications-elsewhere']);
          if (topic === 'charges' || topic === 'payers') void refresh(client, ['own-charges']);
        },
        onConnect: () => {
          useConnection.setState({ connected: true });
          if (missed) void client.invalidateQueries();
          missed = false;
        },
        onMissed: (topics) => void refresh(client, topics),
        onDisconnect: () => {
          missed = true;
          // The socket may have been closed because a membership ended.
          void client.invalidateQueries({ queryKey: ['me'] });
          useConnection.setState({ connected: false });
        },
      },
    );
    return () => {
      stop();
      useConnection.setState({ connected: null });
    };
  }, [client, tenantId, studentId]);

  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
