import { accessToken, renewToken } from './auth.js';
import { notePosition } from './tenant.js';

/** Sent by the server after a change: the topic and the log position, without data. */
export interface Hint {
  /** Tenant of the position; null for the user's own account. */
  readonly tenantId: string | null;
  readonly topic: string;
  readonly position: number;
}

export interface LiveHandlers {
  onHint: (hint: Hint) => void;
  /** Connected (again): hints may have been missed. */
  onConnect: () => void;
  /** Not connected (any more), or not yet. */
  onDisconnect: () => void;
}

/** Delay before a refused socket reconnects with a new token, and before its code is fetched again. */
const REVIVAL_MS = 5000;

/** Listens to a tenant's changes until the returned function is called. */
export function listen(tenantId: string, { onHint, onConnect, onDisconnect }: LiveHandlers): () => void {
  let stop: (() => void) | null = null;
  let stopped = false;

  const begin = async () => {
    const { io } = await import('socket.io-client');
    if (stopped) return;
    const socket = io({
      transports: ['websocket'],
      auth: (give) => {
        void accessToken().then((token) => give({ token }));
      },
    });
    // socket.io does not reconnect after a refusal by the server, so reconnect with a new token.
    const revive = () => {
      if (socket.active) return;
      void renewToken().then((token) => {
        if (token) setTimeout(() => !stopped && socket.connect(), REVIVAL_MS);
      });
    };
    socket.on('connect', onConnect);
    for (const event of ['connect_error', 'disconnect'] as const) {
      socket.on(event, () => {
        onDisconnect();
        revive();
      });
    }
    socket.on('hint', (hint: Hint) => {
      // A user who is trainer here and student elsewhere gets hints of both tenants.
      if (hint.tenantId && hint.tenantId !== tenantId) return;
      notePosition(tenantId, hint.position);
      onHint(hint);
    });
    stop = () => socket.off().disconnect();
  };
  const tryOn = () => {
    if (stopped) return;
    begin().catch(() => {
      onDisconnect();
      setTimeout(tryOn, REVIVAL_MS);
    });
  };
  tryOn();

  return () => {
    stopped = true;
    stop?.();
  };
}
