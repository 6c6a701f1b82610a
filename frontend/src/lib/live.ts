import type { Socket } from 'socket.io-client';
import { accessToken } from './auth.js';
import { notePosition } from './tenant.js';

/** What the server says after something changed: which kind, which ones, and up to which position of the log. Never the data. */
export interface Hint {
  readonly topic: string;
  /** Null: too many to name. */
  readonly ids: readonly string[] | null;
  readonly position: number;
}

export interface LiveHandlers {
  onHint: (hint: Hint) => void;
  /** Connected (again): hints may have been missed. */
  onConnect: () => void;
  onDisconnect: () => void;
}

/** Listens to a tenant's changes until the returned function is called. */
export function listen(tenantId: string, { onHint, onConnect, onDisconnect }: LiveHandlers): () => void {
  let socket: Socket | null = null;
  let stopped = false;

  void import('socket.io-client').then(({ io }) => {
    if (stopped) return;
    socket = io({
      transports: ['websocket'],
      auth: (give) => {
        void accessToken().then((token) => give({ token }));
      },
    });
    socket.on('connect', onConnect);
    socket.on('disconnect', onDisconnect);
    socket.on('hint', (hint: Hint) => {
      notePosition(tenantId, hint.position);
      onHint(hint);
    });
  });

  return () => {
    stopped = true;
    socket?.disconnect();
  };
}
