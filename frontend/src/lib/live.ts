import { accessToken, renewToken } from './auth.js';
import { notePosition } from './tenant.js';

/** What the server says after something changed: which kind, which ones, and up to which position of the log. Never the data. */
export interface Hint {
  /** Whose log the position is of; null for what belongs to the person. */
  readonly tenantId: string | null;
  readonly topic: string;
  /** Null: too many to name. */
  readonly ids: readonly string[] | null;
  readonly position: number;
}

export interface LiveHandlers {
  onHint: (hint: Hint) => void;
  /** Connected (again): hints may have been missed. */
  onConnect: () => void;
  /** Not connected (any more), or not yet. */
  onDisconnect: () => void;
}

/** How long a refused socket waits before it tries with a new token, and one whose code did not come before it asks again. */
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
    // What the server refuses or ends, the client does not try again by itself: with a new token it may.
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
      // Who works here and trains there hears of both.
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
