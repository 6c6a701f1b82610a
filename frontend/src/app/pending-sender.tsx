import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../lib/connection.js';
import { takeTopics } from '../lib/http.js';
import { onSent, sendPending, usePending } from '../lib/pending.js';
import { refresh } from '../lib/topics.js';
import { toast } from '../ui/toast.js';
import { sentWords } from './shell/pending-words.js';

const TRY_AGAIN_MS = 30_000;

/** Sends the outbox as soon as there is a network again, and says so in a toast. */
export function PendingSender() {
  const client = useQueryClient();
  const connected = useConnection((live) => live.connected);
  const waits = usePending(({ writes }) => writes.some(({ held }) => !held));

  useEffect(() => {
    const stop = onSent((sent) => {
      toast.success(sentWords(sent));
      void refresh(client, takeTopics(...sent.map(({ key }) => key)));
    });
    const onEvent = () => void sendPending();
    onEvent();
    window.addEventListener('online', onEvent);
    document.addEventListener('visibilitychange', onEvent);
    const timer = waits ? setInterval(onEvent, TRY_AGAIN_MS) : undefined;
    return () => {
      stop();
      window.removeEventListener('online', onEvent);
      document.removeEventListener('visibilitychange', onEvent);
      clearInterval(timer);
    };
  }, [client, connected, waits]);

  return null;
}
