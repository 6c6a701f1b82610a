import { useQueryClient } from '@tanstack/react-query';
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { create } from 'zustand';
import { listen } from '../lib/live.js';
import { refresh } from '../lib/topics.js';

/** Whether changes of others arrive by themselves; the socket alone decides, pages only show it. */
export const useLive = create<{ connected: boolean | null }>(() => ({ connected: null }));

/** How each topic is called when others have changed it. */
const words: Readonly<Record<string, string>> = {
  sessions: 'Agenda atualizada.',
  students: 'Alunos atualizados.',
  plans: 'Planos atualizados.',
  locations: 'Locais atualizados.',
  transactions: 'Financeiro atualizado.',
};
/** Hints that come together are one update, and one's own command is none: its toast has said it. */
const GATHER_MS = 1500;
const OWN_MS = 5000;

/** Tells readers of the screen, once for each burst, what others have changed. */
function useAnnouncements() {
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
    if (!words[topic] || isOwn()) return;
    topics.current.add(topic);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAnnounced([...topics.current].map((name) => words[name]).join(' '));
      topics.current.clear();
      // The same words are news again the next time.
      timer.current = setTimeout(() => setAnnounced(''), GATHER_MS);
    }, GATHER_MS);
  };

  return { announced, announce };
}

/** Reads again what a hint names, and what changed before the page was connected; a later connection may have missed any. */
export function LiveUpdates({ tenantId }: { tenantId: string }) {
  const client = useQueryClient();
  const { announced, announce } = useAnnouncements();
  const onTopic = useEffectEvent(announce);

  useEffect(() => {
    let missed = false;
    const stop = listen(tenantId, {
      onHint: ({ topic }) => {
        void refresh(client, [topic]);
        onTopic(topic);
      },
      onConnect: () => {
        useLive.setState({ connected: true });
        if (missed) void client.invalidateQueries();
        missed = false;
      },
      onMissed: (topics) => void (topics ? refresh(client, topics) : client.invalidateQueries()),
      onDisconnect: () => {
        missed = true;
        // It may have been ended because a membership was.
        void client.invalidateQueries({ queryKey: ['me'] });
        useLive.setState({ connected: false });
      },
    });
    return () => {
      stop();
      useLive.setState({ connected: null });
    };
  }, [client, tenantId]);

  return <VisuallyHidden role="status">{announced}</VisuallyHidden>;
}
