import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { listen } from '../lib/live.js';
import { refresh } from '../lib/topics.js';

/** Whether changes of others arrive by themselves; the socket alone decides, pages only show it. */
export const useLive = create<{ connected: boolean | null }>(() => ({ connected: null }));

/** Reads again what a hint names. A first connection finds everything fresh; a later one may have missed hints. */
export function LiveUpdates({ tenantId }: { tenantId: string }) {
  const client = useQueryClient();

  useEffect(() => {
    let missed = false;
    const stop = listen(tenantId, {
      onHint: ({ topic }) => {
        void refresh(client, [topic]);
      },
      onConnect: () => {
        useLive.setState({ connected: true });
        if (missed) void client.invalidateQueries();
        missed = false;
      },
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

  return null;
}
